"""What is known of single numbers, in plain Python, for theory, kernels and GPU alike.

Each fact says whether it is proved; if it is not, a named constant says how far it was checked.
"""
