"""A class on one server: `python -m tests.load` drives visitors through a lesson and reports what they wait for."""
