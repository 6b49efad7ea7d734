"""Power Play: count the prime factors; no choice matters."""

from numduel.study.lessons.step import Asks, Step

STEPS = (
    Step(
        "Reach one",
        "Divide the number by one of its prime factors. Whoever makes it exactly 1 wins.",
        "power-play:7",
        Asks.MOVE,
        "7 is its own only prime factor.",
        "A prime takes one move. Whoever faces it wins.",
        won=(7,),
    ),
    Step(
        "Two factors",
        "6 is 2 x 3. One player divides by 2 or by 3, the other by what is left.",
        "power-play:6",
        Asks.WINNER,
        "Two factors take two moves. Who makes the second?",
        "Two prime factors, two moves: the second player wins.",
        lost=(6,),
    ),
    Step(
        "Three factors",
        "12 is 2 x 2 x 3. It can go 12, 6, 3, 1 or 12, 6, 2, 1 or 12, 4, 2, 1.",
        "power-play:12",
        Asks.WINNER,
        "All three ways take the same number of moves.",
        "Every move takes away exactly one prime factor. So the number of moves is fixed before "
        "the match begins.",
        won=(12,),
    ),
    Step(
        "Count",
        "360 is 2 x 2 x 2 x 3 x 3 x 5. Count each factor as often as it occurs.",
        "power-play:360",
        Asks.WINNER,
        "Six factors take six moves.",
        "An odd count: whoever begins wins. An even count is a trap: the other player wins.",
        lost=(360,),
    ),
    Step(
        "Colour the traps",
        "Colour the traps from 1 to 12 gold: the numbers with an even count of prime factors.",
        "power-play:12",
        Asks.TRAPS,
        "1 has no prime factors, and 0 is even. 4 is 2 x 2, so it has two.",
        "Primes are never traps, and neither are 8 and 12: they have three factors.",
        lost=(1, 4, 6, 9, 10),
    ),
    Step(
        "Play it",
        "The usual start 30 is 2 x 3 x 5, and you begin. Try to lose.",
        "power-play:30",
        Asks.MATCH,
        "Divide by 2, 3 or 5.",
        "It cannot be lost: no choice matters in Power Play. What matters is the start, and who "
        "begins. (With the penalty option, careless typing can cost a turn, and so the match.)",
        won=(30,),
    ),
)
