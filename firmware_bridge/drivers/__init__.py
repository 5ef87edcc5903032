"""One module for each kind of light."""
