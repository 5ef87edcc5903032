"""What holds for every test: how long one takes depends on the machine, so none is held to a time."""

from hypothesis import settings

settings.register_profile("no hurry", settings())
settings.load_profile("no hurry")
