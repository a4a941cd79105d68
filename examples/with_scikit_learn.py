"""The Adaptive SVM as a scikit-learn classifier: start a task that has few points from the weights of a related one."""

import numpy as np
from sklearn.datasets import load_digits

from core import AdaptiveSVC

images, digit = load_digits(return_X_y=True)
images = images.reshape(-1, 8, 8) / 16
even = digit % 2 == 0
first = AdaptiveSVC(C=100.0).fit(images[:600].reshape(-1, 64), even[:600])

few, test = slice(600, 630), slice(630, None)
dimmed = np.clip(images, 0.0, 0.5).reshape(-1, 64)  # the same question, asked of pictures with less contrast
for name, source in (("alone", None), ("from the first task", first.coef_)):
    second = AdaptiveSVC(C=100.0).fit(dimmed[few], even[few], source=source)
    print(f"even or odd from 30 dim pictures, {name}: {1 - second.score(dimmed[test], even[test]):.3f} wrong")
