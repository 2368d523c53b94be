"""What the generators of manuals and other sites write around the text of their pages.

`landmarks` goes by what HTML itself says (navigation, banners, lines to the next page), `furniture` by the names that
generators give; `unseen` are scripts, hidden parts and signs; `mandoc` reads pages by that program.
"""
