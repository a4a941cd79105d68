"""The box QP of an Adaptive SVM: posed, solved and checked."""
