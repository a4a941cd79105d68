"""From the table a person has to a task set: what is guessed of it, the recipe that says how, and what it gives.

Doors: `inference.guess` proposes a recipe, `plan.plan` says what would come of it, `builder.make` makes the tasks.
"""
