"""Is there a cheaper plan?"""
