"""numduel in the interfaces that others use: one module for each, and each needs its extra.

    open_spiel   OpenSpiel games                        openspiel
    pettingzoo   PettingZoo environments (AEC)          pettingzoo
    gymnasium    Gymnasium environments, one agent      gymnasium
    gymnasium_vector    the same, thousands at once     gymnasium, ranges
    vector       self-play on thousands of boards       ranges
    mcp          a Model Context Protocol server        mcp
    inspect      inspect-ai tasks for language models   inspect
    engine       a line protocol for programs           none

`duel` explains how moves become actions, and what agents observe. Positions and matches in words
go to `reasoning_gym`, `text_arena` and `verifiers`.
"""
