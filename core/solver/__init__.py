"""The box QP behind every fit, solved by OSQP or another solver and finished exactly by compiled kernels.

Doors: `box_qp.BoxQP` (one Q, many r and C), `box_qp.SolveRecord` (what was done), `threads.spread`.
"""
