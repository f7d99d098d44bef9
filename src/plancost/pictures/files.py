"""Pictures as files: SVG or PNG, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import UsageError
from plancost.files.output_files import write_file
from plancost.pictures.panel import png
from plancost.pictures.scene import Scene
from plancost.pictures.svg import svg


def check_ending(path: Path) -> None:
    """Raise `UsageError` unless the name says what kind of picture it is."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"a picture is called NAME.svg or NAME.png, not {path.name}")


def write_picture(scene: Scene, path: Path) -> None:
    """Write a picture atomically."""
    check_ending(path)
    content = png(scene) if path.suffix.lower() == ".png" else svg(scene)
    write_file(path, content, "this picture")
