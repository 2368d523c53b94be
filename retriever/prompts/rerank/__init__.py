"""What rerankers ask, a module each: `pointwise` grades one candidate, `listwise` orders many, `pairwise` compares two.

What a candidate's text tells the reader to do is text like any other: a reply can do no more than move a candidate
among those that were ranked.
"""
