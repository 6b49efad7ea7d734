"""Thinking for a server: questions answered by processes that can be ended, in fair order.

    thinkers         the processes, and `ask`
    questions/       what can be asked
    rate             who pays
    waiting_line     whose turn it is
    thinker          what runs in such a process

Nothing is imported here: a thinker starts quickly.
"""
