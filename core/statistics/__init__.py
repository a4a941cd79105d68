"""What numbers over tasks and repeats bear: intervals, paired tests, corrections, patterns and pictures of features.

Doors: `noise`, `t_test`, `majority`, `patterns`, `data_checks`, `projection`.
"""
