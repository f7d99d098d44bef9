"""Files of the root as pages of the site, for `make docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "CITATION.cff": "CITATION.cff",
}


def on_files(files: Any, config: Any) -> Any:
    """Add them, and what is in examples/, with links that lead to pages."""
    examples = [*ROOT.glob("examples/*/README.md"), *ROOT.glob("examples/*.ipynb")]
    names = [path.relative_to(ROOT).as_posix() for path in examples]
    for name, page in (PAGES | dict(zip(names, names, strict=True))).items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=_relinked(text)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The same links in other pages."""
    if page.file.src_uri.startswith("examples/"):
        return markdown.replace("](../../docs/", "](../../")
    return _relinked(markdown.replace("](../", "]("))


def _relinked(text: str) -> str:
    for name, page in PAGES.items():
        text = text.replace(f"]({name}", f"]({page}")
    return text
