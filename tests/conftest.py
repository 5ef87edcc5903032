"""What holds for every test: how long one takes depends on the machine, so none is held to a time."""

from hypothesis import HealthCheck, settings

settings.register_profile("no hurry", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no hurry")
