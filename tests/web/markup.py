"""A page read back: its text, its elements, and whether it is well made."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

import httpx

_VOID = {"meta", "link", "img", "input", "br", "hr", "wbr"}
_UNSEEN = {"title", "style", "script"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None
    text: str = ""
    children: list[Element] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    def all(self, tag: str = "", kind: str = "") -> list[Element]:
        """Everything inside with this tag and this class, in order."""
        found, waiting = [], self.children[::-1]
        while waiting:
            child = waiting.pop()
            if tag in ("", child.tag) and (not kind or kind in child.classes):
                found.append(child)
            waiting += child.children[::-1]
        return found

    def one(self, tag: str = "", kind: str = "") -> Element:
        found = self.all(tag, kind)
        assert len(found) == 1, f"{len(found)} of {tag}.{kind}"
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(made)
        if tag not in _VOID:
            self.at = made

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"<{self.at.tag}> is ended by </{tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        at: Element | None = self.at
        while at is not None and self.at.tag not in _UNSEEN:
            at.text += data
            at = at.parent


def read(html: str) -> Element:
    """The page as elements. Every element has to be ended where it should be."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is not ended"
    return reader.root


def check(html: str) -> Element:
    """What holds for every page; the page as elements."""
    root = read(html)
    tags: dict[str, list[Element]] = {}
    ids, pointed = [], []
    for element in root.all():
        tags.setdefault(element.tag, []).append(element)
        assert "style" not in element.attributes, element
        for name, value in element.attributes.items():
            assert not name.startswith("on"), element
            if name in ("src", "href", "action"):
                assert value.startswith(("/", "#")), f"{value} is elsewhere"
                assert not value.startswith("//"), f"{value} is elsewhere"
            elif name == "aria-current":
                assert value in ("page", "step", "true"), element
            elif name == "id":
                ids.append(value)
            elif name in ("for", "aria-labelledby", "aria-describedby"):
                pointed += value.split()
    assert [one.attributes["lang"] for one in tags["html"]] == ["en"]
    assert "style" not in tags
    assert all("src" in one.attributes and not one.words for one in tags.get("script", ()))
    assert len(ids) == len(set(ids)), "ids are given once"
    assert set(pointed) <= set(ids), f"{set(pointed) - set(ids)} is nowhere"
    levels = [int(e.tag[1]) for e in root.all() if e.tag in ("h1", "h2", "h3", "h4")]
    assert (levels[0], levels.count(1)) == (1, 1), levels
    for before, after in pairwise(levels):
        assert after <= before + 1, f"a heading is skipped: {levels}"
    labelled = {label.attributes.get("for") for label in tags.get("label", ())}
    for control in (one for tag in ("input", "select", "textarea") for one in tags.get(tag, ())):
        inside = control.parent is not None and control.parent.tag == "label"
        hidden = control.attributes.get("type") == "hidden"
        assert hidden or inside or control.attributes["id"] in labelled, control
    assert all("alt" in image.attributes for image in tags.get("img", ()))
    assert len(tags["title"]) == 1
    return root


def get(web: httpx.Client, address: str, status: int = 200) -> Element:
    answer = web.get(address)
    assert answer.status_code == status, (address, answer.text)
    return check(answer.text)


def post(web: httpx.Client, address: str, status: int = 200, **fields: str | list[str]) -> Element:
    answer = web.post(address, data=fields)
    assert answer.status_code == status, (address, answer.text)
    return check(answer.text)
