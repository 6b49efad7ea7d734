"""The menu on a real terminal."""

import re

from numduel import Board
from numduel.solver import Search
from terminal import Terminal, on_terminal


def seen_after(*lines: str) -> str:
    seen, code = on_terminal([], lines)
    assert code == 0
    return seen


def test_play_begins_within_four_key_presses_and_can_be_left() -> None:
    for keys, code in ((b"\x03", 130), (b"\x04", 0)):
        with Terminal() as menu:
            menu.press(keys)
            assert menu.end() == code
            assert "Traceback" not in menu.screen
    with Terminal() as menu:
        menu.type(*[""] * 4)
        menu.wait_for_prompt()
        assert re.search(
            r"\nTake away a prime\. If you can't, because 0 or 1 is left, you lose\.\n"
            r"Pip: .+\nGame Start! The starting number is \d+\.\n"
            r"You play against Pip, who is new to this and makes many mistakes\.\nYour turn\.\n"
            r"Valid primes to subtract: 2, 3, [^E]+Enter the prime number to subtract: $",
            menu.screen,
        )
        menu.press(b"\x04")
        assert menu.end() == 1
        assert menu.screen.endswith(
            "numduel: the input ended before the match did.\n"
            "No move was played, so there is nothing to save.\n"
        )


def test_every_question_can_be_answered_and_nonsense_is_asked_again() -> None:
    seen = seen_after("9", "divisor-duel", "nobody", "perfect", "x", "12", "maybe", "2", "quit")
    assert '"9" is not a game here. Enter 1 to 5, or one of the words.\n' in seen
    assert '"nobody" is not an opponent. Enter 1 to 8.\n' in seen
    assert '"x" is not a number. Choose a positive whole number.\n' in seen
    assert 'There is no player "maybe". Enter 1, 2 or random.\n' in seen
    assert "Perfect's turn.\nProper divisors of 12: 2,3,4,6\nEnter your chosen divisor: 3\n" in seen
    seen, _ = on_terminal(["play"], ["Power Play", "friend", "12", "", "", "quit"])
    rule = "Divide the number by one of its prime factors. Whoever reaches 1 wins."
    began = "Player 1 will start first.\n\n---\n\nCurrent N is 12."
    assert f"Welcome to Power Play!\n{rule}\n\n{began}" in seen, "the rule, also between friends"


def number(screen: str) -> int:
    return int(re.findall(r"The starting number is (\d+)", screen)[-1])


def test_whoever_wins_meets_the_next_opponent_from_another_number() -> None:
    """By plain search: the person can win from each start, and the menu goes on from there."""
    with Terminal() as menu:
        menu.type("1", "dot", "", "")
        starts = []
        for _ in range(2):
            menu.wait_for_prompt()
            begun = menu.screen.rpartition("Game Start!")[2]
            starts.append(number(f"Game Start!{begun}"))
            left = starts[-1]
            assert not Search().lost(Board.parse(f"subtract-a-prime:{left}"))
            while "Your turn" in menu.screen.rpartition("Game Start!")[2].rpartition("New")[2]:
                won = Search().winning_moves(Board.parse(f"subtract-a-prime:{left}"))
                menu.type(str(max(move.amount for move in won)))
                menu.wait_for_prompt()
                left = int(re.findall(r"New number is: (\d+)", menu.screen)[-1])
            assert "You win the game!" in menu.screen
            menu.type("")
        assert "Enter to meet Milo, again for this one, " in menu.screen
        menu.wait_for("You play against Iris")
        assert starts[0] != starts[1]
        menu.type("quit")
        assert menu.end() == 0
    seen = seen_after("1", "quit")
    assert "  3  Dot      misses half of the chances to win (beaten)\n" in seen
    assert "Opponent [Pip]: " in seen, "whom nobody has beaten yet"


def test_where_no_choice_matters_one_calls_who_will_win() -> None:
    for call, right in (("You", "1 of 1"), ("2", "1 of 2")):
        with Terminal() as menu:
            menu.type("power-play", "", "30", "1", "?", "tea", call, "2", "3", "5")
            menu.wait_for_prompt()
            seen = " ".join(menu.screen.split())
        assert "1 Friend plays at this keyboard 2 Pip plays along" in seen, "there is no ladder"
        assert "You begin at 30. Who will win, you or Pip: ? Type You or Pip, or" in seen
        assert f"Right so far: {right}." in seen
        assert "It took 3 moves: that is odd, so whoever begins makes the last." in seen
        assert "Enter to play again" in seen, "and nobody to climb to"


def test_a_start_without_a_move_is_told_before_it_is_played() -> None:
    seen = seen_after("divisor-duel", "friend", "7", "7", "", "", "quit")
    assert "Nobody can move from 7, so whoever begins loses at once." in seen
    assert "No valid moves left. Player 2 wins!" in seen
    seen, _ = on_terminal(["play", "divisor-duel", "--start", "7", "--p2", "pip"], [])
    assert "\nNobody can move from 7: whoever begins loses at once.\nGame Start!" in seen


def test_the_menu_makes_a_game_of_ones_own() -> None:
    seen = seen_after("make", "subtract-primes", "Subtract-4-1-3", "friend", "5", "", "",
                      "3", "1", "1", "quit")  # fmt: skip
    assert "Did you mean subtract-prime?\n" in seen
    assert "\nTake away 1, 3 or 4. Whoever reaches 0 wins.\n" in seen
    assert "Player 1 wins" in seen
    seen = seen_after("substract-1-2", "make", "Take away 1, 2 or 3: 21", "back",
                      "subtract-1-to-3:3", "friend", "", "", "3", "quit")  # fmt: skip
    assert "Did you mean subtract-1-2?" in " ".join(seen.split())
    assert "Take away 1, 2 or 3. Whoever reaches 0 wins.\n" in seen
    assert "Take 1, 2 or 3, from 3.\n" in seen
    assert "Player 1 wins" in seen


def test_after_a_match_the_other_player_begins() -> None:
    with Terminal() as menu:
        menu.type("1", "1", "2", "1", "", "2")
        menu.wait_for_prompt()
        assert menu.screen.endswith("or quit: ")
        menu.type("what", "", "2", "menu")
        menu.wait_for_prompt()
        assert '"what" is not one of these.\n' in menu.screen
        assert "\nScore: Player 1 1, Player 2 0. Now Player 2 begins.\n" in menu.screen
        assert "Player 2's turn." in menu.screen
        assert menu.screen.endswith("Game [1]: ")
        menu.type("?", "quit")
        assert menu.end() == 0


def test_two_people_have_names() -> None:
    seen = seen_after("subtract-a-prime", "friend", "2", "", "Anna", "Anna, Ben", "2", "quit")
    assert "Give two names with a comma between them, like Alice,Bob.\n" in seen
    assert "Anna wins the game!\n" in seen


def test_the_menu_leads_on_and_back() -> None:
    seen = seen_after("continue", "", "rules", "3", "", "map", "digit-subtraction-duel", "",
                      "stats", "", "rules", "back", "2", "back", "q")  # fmt: skip
    assert "There is no unfinished match.\n" in seen
    assert "  resume " not in seen, "it is not offered"
    assert "  daily     play the daily duel\n" in seen
    assert "Divisor Duel\n============\n" in seen
    assert "Digit Subtraction Duel: the traps\n" in seen
    assert "No matches yet.\n" in seen
    assert seen.count("Game [1]: ") == 7, "each of them comes back"
    seen = seen_after("3", "friend", "", "", "", "15", "q")
    assert seen.endswith("The match is saved. Continue with: numduel resume 1\n")
    seen = seen_after("resume", "15", "15", "5", "5", "", "exit")
    assert "  resume    continue your last match\n" in seen
    assert "Match 1 continues: Divisor Duel from 60, after 1 turn." in seen
    assert "No valid moves left. Player 1 wins!\n" in seen


def test_looking_back_from_the_menu() -> None:
    with Terminal() as menu:
        menu.type("divisor-duel", "friend", "12", "1", "", "2", "5", "analyse", "retry")
        menu.wait_for_prompt()
        seen = menu.screen
        assert "1. Player 1  2 -> 10  ! mistake: 3 would have won\n" in seen
        assert "Type retry to play on from there against the perfect player.\n" in seen
        assert seen.endswith(
            "Your turn.\nProper divisors of 12: 2,3,4,6\nEnter your chosen divisor: "
        )
        menu.type("4", "resign", "quit")
        assert menu.end() == 0
    seen = seen_after("divisor-duel", "friend", "6", "1", "", "3", "retry", "analyze", "quit")
    assert "Nobody threw a win away in this match, so there is nothing to retry." in seen
    assert "Accuracy: Player 1 1 of 1 (100%), Player 2 none." in seen
    for word in ("analyse", "retry"):
        seen = seen_after("divisor-duel", "friend", "6", "1", "", "resign", word, "quit")
        assert "Nobody has moved, so there is nothing to look back at.\n" in seen
