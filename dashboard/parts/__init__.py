"""Pieces of pages, each used by one or two of them.

Door: `framing.figure`, through which every figure reaches the screen with its title, table and text alternative.
"""
