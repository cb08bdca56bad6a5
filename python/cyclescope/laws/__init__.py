"""Laws of times over x.

Forms are in `models/` and `formula.py`, fits in `exact_law.py` and `formula_fit.py`, the choice
between them in `model.py`, groups of samples in `clusterings/`, the next x in `exploration.py`. The
folder `studies/characterize` applies them: `case_laws.py` to a case, `swept_law.py` to a swept one,
`median_laws.py` on noisy targets, `layout_laws.py` over layouts.
"""
