"""What a server of chat completions sends: the model's answer, its tokens, or an error."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from numduel.players.view import CHARACTERS

_SHOWN = 300


class Completion(NamedTuple):
    """A model's answer. What it thought, in a field of its own, is not part of it."""

    text: str
    prompt_tokens: int | None
    answer_tokens: int | None

    def tokens(self, prompt: str) -> tuple[int, int]:
        """Tokens of prompt and answer, as the server counts them, or about as many."""
        counted = (self.prompt_tokens, prompt), (self.answer_tokens, self.text)
        asked, answered = (
            -(-len(text) // CHARACTERS) if count is None else count for count, text in counted
        )
        return asked, answered


def completion_of(body: bytes) -> Completion | None:
    """The first choice's message; None where the body is no chat completion.

    A call of a tool is an answer, too: its arguments are. A message that only thought
    is an empty answer.
    """
    fields = _json(body)
    try:
        message = fields["choices"][0]["message"]
        text = _content(message.get("content")) or _called(message)
        thought = message.get("reasoning_content") or message.get("reasoning")
    except (LookupError, TypeError, AttributeError):
        return None
    if not text and not thought and message.get("content") is None:
        return None
    usage = fields.get("usage")
    counts = [_count(usage, name) for name in ("prompt_tokens", "completion_tokens")]
    return Completion(text, *counts)


def error_text(body: bytes) -> str:
    """What a server says of an error, in short; empty where it says nothing."""
    fields: Any = _json(body)
    for name in ("error", "message", "detail"):
        if isinstance(fields, dict) and name in fields:
            fields = fields[name]
    text = fields if isinstance(fields, str) else body.decode(errors="replace")
    return " ".join(text.split())[:_SHOWN]


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _content(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _called(message: Any) -> str:
    """The arguments of the last tool that the message calls."""
    calls = message.get("tool_calls") or [{"function": message.get("function_call") or {}}]
    arguments = calls[-1]["function"].get("arguments", "")
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and count >= 0 else None
