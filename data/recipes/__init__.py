"""From the table a person has to a task set: what is guessed of it, the recipe that says how, and what it gives.

`reading.read_table` opens a file, `guessing.guess` proposes a recipe, `planning.plan` says what would come of it and
`making.make` makes the tasks.
"""
