"""The SKB as a file: `header` (what it begins with), `structure` (its tables and columns), `checksums`
(of every MiB), `damage`, which tells what an error means by the three, and `lock` (who is building it).
"""
