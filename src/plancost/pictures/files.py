"""Pictures as files: SVG or PNG, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.files.atomic import make_folder_of, write_atomically
from plancost.pictures.panel import png
from plancost.pictures.scene import Scene
from plancost.pictures.svg import svg


def check_ending(path: Path) -> None:
    """Raise `UsageError` unless the name says what kind of picture it is."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"a picture is called NAME.svg or NAME.png, not {path.name}")


def write_picture(scene: Scene, path: Path) -> None:
    """Write a picture, whole or not at all."""
    check_ending(path)
    content = png(scene) if path.suffix.lower() == ".png" else svg(scene).encode("utf-8")
    try:
        make_folder_of(path)
        write_atomically(path, content)
    except OSError as error:
        raise InputError(f"cannot write this picture ({error.strerror})", path) from error
