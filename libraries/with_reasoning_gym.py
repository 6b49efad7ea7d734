"""reasoning-gym: the dataset by name, alone and in a composite, scored exactly."""

import pickle

import reasoning_gym
from reasoning_gym.composite import DatasetSpec

import numduel.adaptors.reasoning_gym  # noqa: F401  registers the dataset
from libraries.playthroughs import differs
from numduel import Board, solve

SIZE = 140


def main() -> str:
    """Right answers, wrong ones, and answers in other styles."""
    assert not differs("reasoning_gym")
    data = reasoning_gym.create_dataset("numduel", size=SIZE, seed=7)
    assert len({entry["metadata"]["board"] for entry in data}) == SIZE
    again = reasoning_gym.create_dataset("numduel", size=SIZE, seed=7)
    assert [entry["question"] for entry in data] == [entry["question"] for entry in again]
    for entry in data:
        board = Board.parse(entry["metadata"]["board"])
        aloud = f"<think>Is it [2]?</think>\n**Answer:** {entry['answer'].strip('[]')}"
        assert data.score_answer(entry["answer"], entry) == 1.0
        assert data.score_answer(aloud, entry) == 1.0
        none = data.score_answer("[none]", entry)
        assert none == (solve(board).outcome == "loss")
        for wrong in (None, "", "[0]", "I do not know"):
            assert data.score_answer(wrong, entry) == 0.0
    copy = pickle.loads(pickle.dumps(data))
    fresh = reasoning_gym.create_dataset("numduel", size=SIZE, seed=7)
    assert copy[SIZE - 1] == fresh[SIZE - 1] == data[-1]
    both = [DatasetSpec("numduel", 1, {}), DatasetSpec("leg_counting", 1, {})]
    mixed = reasoning_gym.create_dataset("composite", size=20, seed=1, datasets=both)
    assert all(mixed.score_answer(entry["answer"], entry) == 1.0 for entry in mixed)
    return f"create_dataset by name, {SIZE} positions by index, pickled, answers, a composite"
