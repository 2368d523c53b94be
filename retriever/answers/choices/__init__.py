"""What a question offers to choose from: two things (`alternatives`) or yes and no (`comparison`), by `values` read
from the pages of both, of what is only `described` from sentences, by `counts` of one noun, by `statements` of the same
relation, which for each of the question's `claims` have `signs` for or against, or by a sentence that says the same
words (`confirmed`). `comparatives` are the words that compare. Whether somebody has kin is told by `kindred`.
Of an answer that is a part of a name, `whole_names` give the whole.
"""
