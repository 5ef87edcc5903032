"""Finding pieces and boards in a picture, one stage a module, each a function from arrays to a typed value."""
