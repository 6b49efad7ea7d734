"""The text of a model's answer: what it says besides its reasoning, and the move that a part is."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_LONGEST = 8_000
"""Characters of a move, at most: room for the largest number with its separators."""

_LONGEST_LABEL = 60

_THOUGHTS = "think|thinking|thought|thoughts|reasoning|analysis|scratchpad|reflection|seed:think"
_REASONING = re.compile(
    rf"(?P<open><(?:{_THOUGHTS})>|\[THINK\]|◁think▷|<\|channel\|>(?:analysis|commentary)\b)"
    rf"|(?P<close></(?:{_THOUGHTS})>|\[/THINK\]|◁/think▷|<\|channel\|>final\b)",
    re.IGNORECASE,
)
_LOOKS = re.compile(r"</?(?:b|i|u|em|strong|code|span|p|mark)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>\n]{0,60}>|<[|｜][^<>\n]{0,60}[|｜]>", re.IGNORECASE)
_LATEX_LOOKS = re.compile(
    r"\\(?:text|math|textbf|mathbf|textrm|mathrm|texttt|mathtt|textit|mathit|bf|boldsymbol"
    r"|displaystyle|left|right)(?![a-zA-Z])"
)
_LATEX_SPACE = re.compile(r"\\[,;:! ]")
_QUOTE = re.compile(r"[ \t]*(?:(?:>|#{1,6}[ \t])[ \t]*)+")
_SAME = str.maketrans("【〔［】〕］：，٬／’", "[[[]]]:,,/'")

_BEFORE = frozenset("+-\u2212\u2010\u2011\u2012\u2013\u2014.=/÷<>≠≈~√±×[]^")
"""Signs that change what a number after them says."""
_AFTER = (_BEFORE | frozenset("!?%°‰")) - frozenset(".~")
"""Signs that change what a number before them says."""

_START = re.compile(r"[0-9/÷]")
_WORDS = re.compile(r"[\W_]+")
_MOVE = re.compile(
    r"(?:([0-9]+) ?: ?)?([/÷] ?)?"
    r"([0-9]+|[0-9]{1,3}(?:([ ,'_])[0-9]{3})(?:\4[0-9]{3})*|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})"
)

_LABELS = """
    answer|the answer|the answer is|my answer|my answer is|final answer|the final answer is
    my final answer|my final answer is|move|the move|my move|my move is|final move|my final move
    my final move is|best move|the best move is|next move|chosen move|make move|play|to play|i play
    i ll play|i will play|i would play|let s play|i choose|i ll choose|i pick|i ll pick|i go with
    i ll go with|i subtract|i ll subtract|i will subtract|i take|i ll take|i divide by|subtract
    to subtract|take|to take|divide by|number|action|choice|my choice|my choice is|decision
    antwort|meine antwort|die antwort ist|zug|mein zug|mein zug ist|ich spiele|ich ziehe
    réponse|ma réponse|la réponse est|coup|mon coup|je joue|je soustrais
    respuesta|mi respuesta|la respuesta es|jugada|mi jugada|mi jugada es|juego|resto
    risposta|la risposta è|mossa|la mia mossa|gioco|resposta|jogada|minha jogada|eu jogo
    odpowiedź|ruch|mój ruch|gram|antwoord|zet|mijn zet|ik speel|svar|drag|cevap|hamlem
    ответ|мой ответ|ход|мой ход|я играю|я вычитаю|відповідь|хід
    答案|答案是|我的答案|我的答案是|我选择|我選擇|我走|我减去|最终答案|最終答案
    答え|私の手|最終的な答え|답|정답|제 수|उत्तर|मेरी चाल|الجواب|الإجابة|نقلتي|תשובה
"""
LABELS = frozenset(_LABELS.strip().replace("\n    ", "|").split("|"))
"""What may stand before a move on the last line or in brackets: one of these, or two."""
_LEADS = ("so ", "therefore ", "thus ", "hence ")

CONJUNCTIONS = frozenset(("", "or", "and", "oder", "und", "ou", "et", "o", "y", "или", "и", "或"))
"""What stands between two answers where neither is chosen."""


class MoveText(NamedTuple):
    """A move as it stands there: its place, if it has one, and the amount in plain digits."""

    place: str | None
    amount: str
    """With a stroke before it where it divides."""
    groups: tuple[str, ...]
    """The digits as they were grouped."""


def spoken(text: str) -> str:
    """What an answer says besides its reasoning, with plain digits, brackets and blanks.

    Reasoning stands between `<think>` and `</think>`, or other marks like these. Without an
    end, all that follows is reasoning; without a beginning, all that comes before.
    """
    kept: list[str] = []
    start, thinking = 0, False
    for mark in _REASONING.finditer(text):
        if mark.lastgroup == "open" and not thinking:
            kept.append(text[start : mark.start()])
        elif mark.lastgroup == "close" and not thinking:
            kept.clear()
        thinking = mark.lastgroup == "open"
        start = mark.end()
    if not thinking:
        kept.append(text[start:])
    said = "\n".join(kept).replace("\r", "\n")
    if not said.isascii():
        said = "".join(map(_plain, said)).translate(_SAME)
    return _TAG.sub("\n", _LOOKS.sub("", said))


def _plain(character: str) -> str:
    """Any script's digits as 0 to 9, any blank as a blank; nothing for what is not seen."""
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    kind = unicodedata.category(character)
    return " " if kind == "Zs" else "" if kind == "Cf" else character


def last_line(text: str) -> tuple[int, str]:
    """The last line that says something, and where it begins; markup alone says nothing."""
    end = len(text)
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].strip()
        if any(map(str.isalnum, line)) and not line.startswith("```"):
            quote = _QUOTE.match(line)
            return start, line[quote.end() :] if quote else line
        end = start - 1
    return 0, ""


def words(text: str) -> str:
    """The words of a text in lower case, with one blank between them."""
    return _WORDS.sub(" ", text).strip().casefold()


def move_in(part: str) -> MoveText | None:
    """The move that a part of an answer is; None where it is anything else, or more."""
    if len(part) > _LONGEST:
        return None
    styled = unstyled(part)
    if styled.count("{") != styled.count("}"):
        return None
    text = peeled(styled)
    found = _START.search(text)
    if found is None:
        return None
    label = text[: found.start()]
    if label and (label.rstrip()[-1] in _BEFORE - {"=", "]"} or not is_label(words(label))):
        return None
    move = _MOVE.fullmatch(text[found.start() :])
    if move is None:
        return None
    groups = tuple(re.split(r"[ ,'_]", move[3]))
    return MoveText(move[1], f"{'/' if move[2] else ''}{''.join(groups)}", groups)


def is_label(said: str) -> bool:
    """May these words stand before a move? One of the labels, or two."""
    for lead in _LEADS:
        said = said.removeprefix(lead)
    if said in LABELS:
        return True
    blanks = (at for at, character in enumerate(said[:_LONGEST_LABEL]) if character == " ")
    return any(said[:at] in LABELS and said[at + 1 :] in LABELS for at in blanks)


def unstyled(text: str) -> str:
    """The text without LaTeX's commands for looks and narrow blanks."""
    return _LATEX_SPACE.sub(" ", _LATEX_LOOKS.sub("", text)).replace("{,}", ",")


def peeled(text: str) -> str:
    """The text without markup and punctuation around it; what changes a number stays."""
    start, end = 0, len(text)
    while start < end and not (text[start].isalnum() or text[start] in _BEFORE):
        start += 1
    while start < end and not (text[end - 1].isalnum() or text[end - 1] in _AFTER):
        end -= 1
    return text[start:end]
