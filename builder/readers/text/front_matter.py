"""Front matter: YAML between `---`, or TOML between `+++`, that many Markdown files begin with.

>>> front = split_front_matter("---\\ntitle: Ondrel\\ntags: [port, strait]\\n---\\nText.")
>>> front.values, front.body
({'title': ['Ondrel'], 'tags': ['port', 'strait']}, 'Text.')
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple

from weft.text.json_text import no_collection

# Deep nesting and keys of many parts take time with the square of their length.
# Any encoding of so many characters is shorter than the head that tells a file's title.
LONGEST = 8_000
MOST_BRACKETS = 100
YAML = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
TOML = re.compile(r"\+\+\+[ \t]*\n(.*?\n)?\+\+\+[ \t]*(?:\n|\Z)", re.S)
ENTRY = re.compile(r"\s*[\w\"'][\w \"'.-]*[:=]")
SHOWN = re.compile(r"\{\{[ ]*\$frontmatter\.(\w+)[ ]*\}\}")
NOTHING = ("", "~", "null")


class FrontMatter(NamedTuple):
    """A text's front matter, keys in lower case, and the rest of the text.

    `unread` is front matter that cannot be read, `problem` says why. What has
    texts and lists of texts as values is read, nested values are not.
    """

    values: dict[str, list[str]]
    body: str
    unread: str = ""
    problem: str = ""

    def filled(self) -> str:
        """Return the body with what VitePress shows of the front matter in it, as in `{{ $frontmatter.title }}`."""
        return SHOWN.sub(lambda found: ", ".join(self.values.get(found[1].lower(), [])), self.body)


def split_front_matter(text: str) -> FrontMatter:
    """Split a text behind its front matter; a rule that opens a text is none, nor is what is above LONGEST."""
    for name, pattern, load in (("YAML", YAML, _load_yaml), ("TOML", TOML, tomllib.loads)):
        found = pattern.match(text)
        if not found or found.end() > LONGEST:
            continue
        content, body = found[1] or "", text[found.end() :]
        # tomllib's own error is a ValueError, as is that of a huge number.
        try:
            with no_collection():
                values = load(content)
            if isinstance(values, dict):
                return FrontMatter({str(key).lower(): _strings(value) for key, value in values.items()}, body)
        except (ValueError, RecursionError):
            if ENTRY.match(content):
                return FrontMatter({}, body, content, f"the front matter is not {name} that can be read; kept as code")
    return FrontMatter({}, text)


def _load_yaml(content: str) -> Any:
    """Return what YAML says, every scalar as it is written; raise ValueError for what is none."""
    import yaml

    if content.count("[") + content.count("{") > MOST_BRACKETS:
        raise ValueError("too many brackets")
    # These loaders make nothing but dictionaries, lists and strings, so that dates and versions stay as written.
    # An alias is the same object again: nothing is expanded.
    try:
        loaded = yaml.load(content, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    return {} if loaded is None else loaded


def _strings(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for each in values if not isinstance(each, (dict, list)) and (text := str(each)) not in NOTHING]
