"""The application: joins what vision sees with what rules say, on the command line and on a page."""

import os

MAX_PIXELS = 64_000_000
"""The largest picture that is opened, in pixels: phones make up to 50 million."""

# OpenCV reads its limit once, while it is being imported: nothing in this package comes before this line.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))

# Linear algebra on small matrices is several times slower on many threads than on one as soon as anything else runs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
