"""The commands of `curriculab`: each module has `add(subparsers)` and `run(arguments)`."""
