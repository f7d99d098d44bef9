"""Hooks of the documentation site: the README of each example is a page too.

Pages are read on a git host as well, where links go by the folders of the repository. Here
``examples/NAME/README.md`` becomes the page of the same name below the site, and links
between the two places are turned round accordingly.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[1]
_INTO_EXAMPLES = re.compile(r"\]\(\.\./(examples/[^)]*)\)")
_INTO_DOCS = re.compile(r"\]\(\.\./\.\./docs/([^)]*)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the examples' pages."""
    for readme in sorted(_ROOT.glob("examples/*/README.md")):
        name = readme.relative_to(_ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(readme)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn links between docs/ and examples/ into links of the site."""
    if page.file.src_uri.startswith("examples/"):
        return _INTO_DOCS.sub(r"](../../\1)", markdown)
    return _INTO_EXAMPLES.sub(r"](\1)", markdown)
