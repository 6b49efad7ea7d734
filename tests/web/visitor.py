"""Somebody with a browser without scripts: looks at pages, fills in forms, keeps cookies."""

import re
from collections.abc import Container
from typing import Self
from urllib.parse import urlencode, urljoin

import httpx

from patience import PATIENT
from web.markup import Element, check, read


class Visitor:
    """A browser of its own. `page` is the page that is open, `status` how it was answered."""

    def __init__(self, address: str) -> None:
        self.origin = address.rstrip("/")
        # Nothing is encrypted here, and certificates take longer to load than a page.
        self._web = httpx.Client(base_url=address, timeout=PATIENT, verify=False)
        self.page = Element("", {}, None)
        self.text = ""
        self.status = 0
        self.at = "/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._web.close()

    def get(self, address: str) -> Element:
        return self._took(self._web.get(address), address)

    def post(self, address: str, **fields: str) -> Element:
        return self.send(address, list(fields.items()))

    def send(self, address: str, pairs: list[tuple[str, str]]) -> Element:
        """The same with fields that may come several times."""
        headers = {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        answer = self._web.post(address, content=urlencode(pairs), headers=headers)
        return self._took(answer, address)

    def press(self, form: str, button: str = "", **typed: str) -> Element:
        """Send the form of this id as a browser does, by the button of this value."""
        found = self.by_id(form)
        pressed = next(
            one for one in found.all("button") if one.attributes.get("value", "") == button
        )
        pairs = [(name, typed.get(name, value)) for name, value in _fields(found, typed)]
        if "name" in pressed.attributes:
            pairs.append((pressed.attributes["name"], button))
        action = pressed.attributes.get("formaction", found.attributes["action"])
        method = pressed.attributes.get("formmethod", found.attributes["method"])
        if method == "post":
            return self.send(action, pairs)
        return self.get(f"{action}?{urlencode(pairs)}")

    def part(self, address: str) -> Element:
        return read(self._web.get(address).text)

    def json(self, address: str) -> object:
        return self._web.get(address).json()

    def raw(self, address: str) -> httpx.Response:
        return self._web.get(address)

    def files(self, address: str) -> dict[str, bytes]:
        """What a browser loads for the page: styles, scripts and their modules, pictures."""
        found: dict[str, bytes] = {}
        waiting = re.findall(r'(?:src|href)="(/static/[^"]+|[^"]+\.svg)"', self.raw(address).text)
        while waiting:
            name = waiting.pop().partition("?")[0]
            if name not in found:
                found[name] = self.raw(name).content
                modules = re.findall(rb'from "\./([^"?]+)', found[name])
                waiting += [f"/static/{module.decode()}" for module in modules]
        return found

    @property
    def cookies(self) -> dict[str, str]:
        return dict(self._web.cookies)

    def by_id(self, name: str) -> Element:
        return next(one for one in self.page.all() if one.attributes.get("id") == name)

    def has(self, name: str) -> bool:
        return any(one.attributes.get("id") == name for one in self.page.all())

    def words(self, name: str) -> str:
        return self.by_id(name).words

    def moves(self) -> list[str]:
        return [one.attributes["value"] for one in self.page.all("button", "move")]

    def value(self, name: str) -> str:
        return self.by_id(name).attributes["value"]

    def _took(self, answer: httpx.Response, address: str) -> Element:
        if answer.status_code == 303:
            return self.get(urljoin(address, answer.headers["location"]))
        self.status, self.text, self.at = answer.status_code, answer.text, address
        self.page = check(answer.text)
        return self.page


def _fields(form: Element, typed: Container[str]) -> list[tuple[str, str]]:
    """What the fields of a form hold, in order, as they are sent; what is typed is ticked."""
    pairs = []
    for one in form.all():
        name = one.attributes.get("name")
        if name is None or "disabled" in one.attributes:
            continue
        if one.tag == "select":
            options = one.all("option")
            chosen = [option for option in options if "selected" in option.attributes]
            pairs.append((name, (chosen or options)[0].attributes["value"]))
        elif one.tag == "input":
            ticked = "checked" in one.attributes or name in typed
            if one.attributes.get("type") == "checkbox" and not ticked:
                continue
            pairs.append((name, one.attributes.get("value", "")))
    return pairs
