"""Pictures as files: SVG as it is, PNG by resvg."""

from __future__ import annotations

from pathlib import Path

from numduel.arguments import checked
from numduel.drawing.svg import Picture
from numduel.errors import FileError, MissingExtra

_ZOOM = 2


@checked
def save_picture(picture: Picture, path: str) -> None:
    """Write the picture, as SVG or PNG by its ending. Raises `FileError`, `MissingExtra`."""
    match Path(path).suffix.lower():
        case ".svg":
            data = str(picture).encode()
        case ".png":
            data = to_png(picture)
        case _:
            raise FileError(path=path, problem="ending")
    save_bytes(data, path)


def save_bytes(data: bytes, path: str) -> None:
    """Write a file. Raises `FileError`."""
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise FileError(path=path, problem="unwritten", reason=error.strerror) from error


def to_png(picture: Picture) -> bytes:
    """The picture as PNG, in its light theme. Raises `FileError` where there are no fonts."""
    if _render(_probe("numduel")) == _render(_probe("")):
        raise FileError(path="", problem="no fonts")
    return _render(picture)


def _render(picture: Picture) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise MissingExtra(extra="images", package="resvg-py") from error
    return bytes(svg_to_bytes(svg_string=str(picture), zoom=_ZOOM))


def _probe(words: str) -> Picture:
    """A picture that looks the same with and without its words where there are no fonts."""
    picture = Picture(100, 30, "", "")
    picture.text(5, 20, words)
    return picture
