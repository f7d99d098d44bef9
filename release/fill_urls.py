"""Put the address of the repository wherever it is needed: ``make urls REPOSITORY=https://...``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PLACEHOLDER = "https://example.org/plancost"
PLACES = ("pyproject.toml", "CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml")


def fill_urls(root: Path, repository: str) -> list[str]:
    """Replace the placeholder in the files of a checkout; the names of those that changed."""
    changed = []
    for name in PLACES:
        path = root / name
        text = path.read_text(encoding="utf-8")
        if PLACEHOLDER in text:
            path.write_text(text.replace(PLACEHOLDER, repository), encoding="utf-8")
            changed.append(name)
    return changed


def main() -> int:
    """Fill in the one argument."""
    repository = sys.argv[1].rstrip("/") if len(sys.argv) == 2 else ""
    if not re.fullmatch(r"https://[\w.-]+/[\w./-]+", repository):
        print("Give the address: make urls REPOSITORY=https://host/owner/plancost", file=sys.stderr)
        return 2
    changed = fill_urls(Path(__file__).parents[1], repository)
    print(f"{repository} is now in: {', '.join(changed) or 'no file (it was filled in before)'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
