"""From tasks to fits: inner products once a set, many QPs at a time, cross-validation, the joint learners.

Doors: `pool.Pool`, `stage.Stage`, `cross_validation.Folds`, `adaptive_svm.AdaptiveSVC`, `joint.Joint`.
"""
