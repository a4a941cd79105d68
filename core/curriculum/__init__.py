"""Curricula: steps, the search for the next task, the bound, the methods and what they learned."""
