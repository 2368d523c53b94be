"""HTTP within limits: `addresses` (checked, and shown without secrets), `limits` (sizes, seconds, offline)
and `bounded`, the transport that keeps to them.
"""
