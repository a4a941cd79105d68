"""The command line, one module per command: `add(subparsers)` declares it, `run(arguments)` does it.

Heavy imports stand inside `run`, so that `--help` is instant.
"""
