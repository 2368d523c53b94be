"""Options and settings: what manuals tell of them in their own forms, and nowhere in a sentence.

`defaults` reads their defaults, `usage` the lines of a usage text, such as `--help` prints it, `purpose` what their
pages say that they are for.
"""
