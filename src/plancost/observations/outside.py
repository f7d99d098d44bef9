"""Which files a case may lead to: only those inside folders that the user has named.

A manifest, a folder or a RESULT.json may come from somebody else. Where it names a file by an
absolute path or by ``..``, or has a link in place of one, the file counts as what it really is,
and that must lie in one of the folders. Those are the folder of the manifest (or the case
folder, or that of the RESULT.json) and the folder of the domain, which the user names too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from plancost.errors import InputError


class NamedFolders:
    """Folders whose files may be read; with `allow_outside` any file may be."""

    def __init__(self, folders: Iterable[Path], *, allow_outside: bool = False) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._really = tuple(_really(folder) for folder in self._folders)
        self._allow_outside = allow_outside

    @classmethod
    def of(cls, *files: Path | None, allow_outside: bool = False) -> NamedFolders:
        """The folders that these files are in; None is passed over."""
        folders = (file.parent for file in files if file is not None)
        return cls(folders, allow_outside=allow_outside)

    def has(self, file: Path) -> bool:
        """Whether a file may be read."""
        try:
            real = _really(file)
        except ValueError:  # no file system has such a name
            return True
        return self._allow_outside or any(real.is_relative_to(folder) for folder in self._really)

    def check(self, file: Path, words: str, place: Path, line: int | None = None) -> None:
        """Raise `InputError` if a file must not be read.

        `words` is what the place (a file, or a line of it) calls the file.
        """
        if self.has(file):
            return
        folders = " and ".join(str(folder) for folder in self._folders)
        raise InputError(
            f"{words} leads to {_really(file)}, which is outside of {folders}; "
            "add --allow-outside if it may be read",
            place,
            line,
        )


def _really(path: Path) -> Path:
    """Where a path leads, without links and ``..``; the file need not exist."""
    return Path(os.path.realpath(path))
