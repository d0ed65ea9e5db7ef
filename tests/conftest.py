"""Hypothesis: no time limits on noisy machines, and the same examples on every run of the whole suite."""

import os

from hypothesis import HealthCheck, settings

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("suite", deadline=None, max_examples=60, suppress_health_check=quiet, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
