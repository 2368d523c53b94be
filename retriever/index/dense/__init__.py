"""Dense vector spaces: `rows` (compared with vectors exactly), `byte_codes` (estimates of that from fewer bytes) and
`ann` (an approximate index).
"""
