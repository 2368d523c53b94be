"""Tests run beside each other: matrix products of one thread each do not wait for other tests."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
