"""A SPARQL endpoint as a fact file: `fact_file` (what a build asks for), `fetch` (which queries, in which
order), `queries`, `client` (page by page), `answer_cache` (what need not be asked again).
"""
