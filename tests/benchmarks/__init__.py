"""Tests of the benchmarks that make corpora and questions."""
