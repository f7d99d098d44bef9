"""Pictures as files: SVG or PNG, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import UsageError
from plancost.files.output_files import write_file
from plancost.pictures.panel import png
from plancost.pictures.scene import Scene
from plancost.pictures.svg import svg
from plancost.system.values import PathLike, as_path


def check_ending(path: Path) -> None:
    """Raise `UsageError` unless the name says what kind of picture it is."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"a picture is called NAME.svg or NAME.png, not {path.name}")


def write_picture(scene: Scene, path: PathLike) -> None:
    """Write a picture atomically.

    Args:
        scene: What `scene_of` returned.
        path: A file that ends in ``.svg`` or ``.png``.

    Raises:
        UsageError: The path ends in something else.
        InputError: The file cannot be written.
    """
    file = as_path(path, "path")
    check_ending(file)
    content = png(scene) if file.suffix.lower() == ".png" else svg(scene)
    write_file(file, content, "this picture")
