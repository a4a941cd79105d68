"""All 120 orders of five tasks: where does the curriculum land among them?"""

from core import every_order, learn
from data import catalogue

task_set = catalogue.load("digits-levels:8", seed=0)
curriculum = learn(task_set, "seqmt", C=100.0)
orders = every_order(task_set, C=100.0)
errors = orders.test_errors
worse = (errors > curriculum.mean_test_error).mean()
print(f"{len(errors)} orders, mean test errors from {errors.min():.3f} to {errors.max():.3f}")
print(f"SeqMT: {curriculum.mean_test_error:.3f}; on this draw {worse:.0%} of the orders do worse")
