"""Fits: inner products, Adaptive SVMs, joint learners and the choice of C."""
