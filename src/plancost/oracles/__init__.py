"""Who answers whether a task has a cheaper plan: state graphs and planners."""
