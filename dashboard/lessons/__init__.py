"""The lessons: short sequences of screens with a live figure, a question, and an answer computed there and then.

Door: `catalogue`, the list of lessons; one module a lesson.
"""
