"""The faces of Weft: `cli` with one module a group of commands in `commands`; `output`, `printable`, `streams`,
`trees`, `excerpt` and `explanation_text` write what they show. `api` is the Python face behind `weft.open`.
"""
