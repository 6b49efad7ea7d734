"""Thinking for a server: questions answered by processes that can be ended, in fair order.

Nothing is imported here: a thinker starts quickly.
"""
