"""Means of a few runs and how far they can be trusted."""

import math
import statistics

# Student's t, two-sided 95 %, by degrees of freedom; beyond, the normal distribution.
T95 = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]


class Estimate:
    """Mean and half the width of its 95 % confidence interval (0 if there is one value only)."""

    def __init__(self, values):
        self.mean = statistics.fmean(values)
        n = len(values)
        t = T95[n - 2] if 2 <= n < len(T95) + 2 else 1.96
        self.half_width = t * statistics.stdev(values) / math.sqrt(n) if n > 1 else 0.0

    def __str__(self):
        digits = 1 if self.mean < 100 else 0
        return f"{self.mean:.{digits}f} ± {self.half_width:.{digits}f}"


def table(results, value):
    """{key: Estimate of value(run)} for {key: runs}."""
    return {key: Estimate([value(run) for run in runs]) for key, runs in results.items()}
