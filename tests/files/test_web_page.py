"""Data inside a page, and what the page may do."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.files.escape import escaped
from plancost.files.web_page import embedded, policy


@settings(deadline=None)
@given(st.text(st.characters()))
def test_embedded_json_never_ends_its_block(text: str) -> None:
    found = embedded({text: [text]})
    assert json.loads(found) == {escaped(text): [escaped(text)]}
    assert not set(found) & set("<>&\u2028\u2029\u202e")


def test_the_policy_names_script_and_style_and_forbids_the_rest() -> None:
    found = policy("p { }", "run()")
    assert found.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src 'sha256-" in found
    assert policy("p { }", "run() ") != found != policy("p {  }", "run()")
