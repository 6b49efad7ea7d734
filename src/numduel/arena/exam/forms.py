"""The ways of writing an answer that the rule of `players/reading.py` names, as a table of cases.

Each of them is part of the task's hash, and docs/measure.md publishes them.
"""

from __future__ import annotations

FORMS = (
    "Answer: {}",
    "answer: {}",
    "ANSWER: {}.",
    "Final answer: {}",
    "Move: {}",
    "Winning move: {}",
    "The answer is {}.",
    "My winning move is {}",
    "Therefore, the final answer is: {}",
    "**Answer:** {}",
    "**Answer: {}**",
    "### Final Answer: **{}**",
    "- Answer: {}",
    "1. Answer: {}",
    "> *Answer*: `{}`",
    '"Answer": "{}"',
    '{{"answer": "{}"}}',
    "Answer: [{}]",
    "Answer: ({})",
    "Answer: ${}$",
    "Answer: \\({}\\)",
    "Answer:\xa0{}",
    "[Thinking]\nAnswer: {}",
    "Answer：【{}】",
    "[{}]",
    "I am sure: **[{}]**.",
    "[7] [5] [{}]",
    "Answer: 7\nNo, that loses.\nAnswer: {}",
    "Answer: {}\nPerhaps [7]? No.",
    "Answer:\n[{}]",
    "<think>Answer: 7</think>Answer: {}",
    "Perhaps [7].</think>\n[{}]",
    "<think>One.</think>Answer: {}<think>Two.</think>",
    "Answer: {}\n[THINK]\nAnswer: 7\n[/THINK]",
    "Answer: {}\n<Thinking>\nAnswer: 7\n</Thinking>",
    "Answer: {}\n<reasoning>\nMove: 7\n</reasoning>",
)
"""Read as what stands in the place of {}: a number, a place and a number, or none."""

NUMBERS = (
    "Answer: -{}",
    "Answer: subtract {}",
    "Answer: take away {}.",
    "Answer: minus {}",
    "Move: play {}",
    "[+{}]",
)
"""Read as what stands in the place of {}, which is a number."""

UNREADABLE = (
    "",
    "{}",
    "I do not know.",
    "Answer: {} or 7",
    "Answer: {}, 7",
    "Answer: [{}] [7]",
    "[3] [{}, 7]",
    "[3] [{} or 7]",
    "Answer: 3\nAnswer: {} and 7",
    "Answer: {} (leaves 45)",
    "[3]\nAnswer: {} because it wins",
    "Answer: {}.5",
    "[{}.5]",
    "[1.{}]",
    "Answer: {}²",
    "Answer: {}!",
    "Answer: {}</s>",
    "<answer>{}</answer>",
    "The answer is clearly {}.",
    "I subtract {}.",
    "\\boxed{{{}}}",
    "Antwort: {}",
    "| Answer | {} |",
    "<think>Answer: {}",
    "Answer: {}\n<think>Or",
    "Answer:\n{}",
)
"""Unreadable on purpose, whatever stands in the place of {}."""
