"""docutils, set up to be safe and to keep the text of roles and directives that it does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

# Words with single marks between them, each read once: no name begins behind a letter.
ROLE_NAME = r"[^\W_]\w*+(?:[.+:-]\w++)*+"
ROLES = re.compile(rf"(?<!\w):({ROLE_NAME}):`|`:({ROLE_NAME}):")
DIRECTIVES = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([a-zA-Z][\w:.+-]*)[ \t]?::", re.M)
DOC, REF = "doc:", "ref:"
"""What begins the address of a document that a `:doc:` role names, and of a label that a `:ref:` role does."""
# Directives of Sphinx whose arguments and contents are names and settings, no text.
WITHOUT_TEXT = frozenset(
    """toctree index highlight currentmodule py:currentmodule module py:module literalinclude include
    sectionauthor moduleauthor codeauthor tabularcolumns default-domain default-role highlightlang raw meta""".split()
)
CODE = frozenset(
    """code code-block code-tab sourcecode prompt parsed-literal productionlist testcode testoutput testsetup
    testcleanup doctest ipython graphviz digraph mermaid uml plantuml jupyter-execute""".split()
)
DESCRIBES_CLASS = re.compile(r"^[ \t]*\.\.[ \t]+class::[ \t]+(?:[\w.]+\(|[\w.]*[A-Z])", re.M)
"""A directive `class` with what Sphinx describes, where docutils has classes of style."""
CONDITIONS = frozenset(("ifconfig", "only"))
"""Directives whose argument tells where their content is shown; it may have headings."""
VERSION = re.compile(r"version-?(?:added|changed|removed|deprecated)|deprecated(?:-removed)?")
VERSIONS = {"added": "New in version", "changed": "Changed in version", "removed": "Removed in version"}
DEPRECATED = "Deprecated since version"
"""What Sphinx shows before the version that a directive names."""

OBJECTS = frozenset(
    """function data class method classmethod staticmethod attribute property exception decorator decoratormethod module
    option cmdoption envvar confval setting describe object macro type struct member var enumerator directive role
    program-option""".split()
)
"""Directives of Sphinx that describe something by its name or signature, of any domain (`py:function`)."""

SHOWN_OPTIONS = ("type", "default", "value", "required", "choices")
"""Options of such a directive that tell something, in the order in which they are shown."""

DESCRIPTION, OF_DESCRIPTION, OF_VERSION = "description", "of-description", "of-version"
"""The classes of a container that has the signature of such a thing, and then what is said of it; of a paragraph that
tells one of its options; and of a container that tells a version."""
SETTINGS = {
    "file_insertion_enabled": False, "raw_enabled": False, "_disable_config": True, "report_level": 5,
    "halt_level": 6, "warning_stream": "", "syntax_highlight": "none", "smart_quotes": False,
    "line_length_limit": 1 << 30, "input_encoding": "unicode", "sectsubtitle_xform": False, "doctitle_xform": False,
    "docinfo_xform": False, "datestamp": None, "generator": False,
    "source_link": False, "toc_backlinks": False, "traceback": True,
}  # fmt: skip
ERROR = 3


class NotReadable(ValueError):
    """A text that docutils fails on; the message says how."""


def parse_rst(text: str) -> Any:
    """Return the docutils tree of a text, references resolved; raise NotReadable where docutils fails.

    Nothing is read from other files, and nothing is run.
    """
    from docutils import core, io, utils

    reader, parser, writer = _components()
    publisher = core.Publisher(reader=reader(), parser=parser(), writer=writer(), source_class=io.StringInput)
    publisher.process_programmatic_settings(None, SETTINGS, None)
    publisher.set_source(text, None)
    publisher.set_destination(None, None)
    try:
        with _text_of_unknown_kept(text):
            document = publisher.reader.read(publisher.source, publisher.parser, publisher.settings)
            publisher.document = document
            publisher.apply_transforms()
    except RecursionError as error:
        raise NotReadable("it is nested too deep") from error
    except (
        utils.SystemMessage, ValueError, LookupError, AttributeError, TypeError, AssertionError, RuntimeError,
    ) as error:  # fmt: skip
        raise NotReadable(f"docutils: {type(error).__name__}: {error}".replace("\n", " ")) from error
    return document


def problems_in(tree: Any) -> str | None:
    """Return how many errors docutils found and the first of them, None where it found none."""
    found = [node for node in tree.parse_messages + tree.transform_messages if node["level"] >= ERROR]
    if not found:
        return None
    children = found[0].children
    message = " ".join(str(children[0].astext()).split()) if children else ""
    line = f" in line {found[0]['line']}" if found[0].get("line") else ""
    return f"reStructuredText with {len(found)} error{'s' * (len(found) != 1)}, the first{line}: {message[:200]}"


@lru_cache(maxsize=1)
def _components() -> tuple[Any, Any, Any]:
    from docutils.parsers.rst import Parser
    from docutils.readers.standalone import Reader
    from docutils.writers.null import Writer

    class _Writer(Writer):  # type: ignore[misc]
        """Leaves system messages where they are: the text of a wrong directive stands in one."""

        def get_transforms(self) -> list[Any]:
            return []

    return Reader, Parser, _Writer


@contextmanager
def _text_of_unknown_kept(text: str) -> Iterator[None]:
    """Let docutils know what a text names, within the context; what the text itself defines ends with it too."""
    from docutils.parsers.rst import directives, roles

    registries = (roles._roles, directives._directives)
    before = [dict(registry) for registry in registries]
    try:
        _register_roles(text)
        _register_directives(text)
        yield
    finally:
        for registry, entries in zip(registries, before, strict=True):
            registry.clear()
            registry.update(entries)


def _register_roles(text: str) -> None:
    from docutils.parsers.rst import roles
    from docutils.parsers.rst.languages import en

    for name in {(found[1] or found[2]).lower() for found in ROLES.finditer(text)}:
        # docutils has names for roles that it does not implement.
        if name not in en.roles or roles.role(name, en, 0, None)[0] is roles.unimplemented_role:
            roles.register_local_role(name, _LINKING.get(name, _text_role))


def _register_directives(text: str) -> None:
    from docutils.parsers.rst import directives
    from docutils.parsers.rst.languages import en

    kept, code, version, within, nothing, blank = _directives()
    for name in {found[1].lower() for found in DIRECTIVES.finditer(text)}:
        if name in WITHOUT_TEXT:
            directives.register_directive(name, nothing)
        elif name in CODE:
            directives.register_directive(name, code)
        elif VERSION.fullmatch(name):
            directives.register_directive(name, version)
        elif name in CONDITIONS:
            directives.register_directive(name, within)
        elif name == "date":
            # The same text gives the same document on another day.
            directives.register_directive(name, blank)
        elif name not in en.directives or (name == "class" and DESCRIBES_CLASS.search(text)):
            directives.register_directive(name, kept)


def _text_role(
    role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[Any], list[Any]]:
    from docutils import nodes, utils

    return [nodes.inline(rawtext, shown(utils.unescape(text)))], []


def _doc_role(
    role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[Any], list[Any]]:
    return _reference(rawtext, text, DOC), []


def _ref_role(
    role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[Any], list[Any]]:
    return _reference(rawtext, text, REF), []


def _reference(rawtext: str, text: str, kind: str) -> list[Any]:
    """Return a reference to what a role names; `untitled` where it does not say what is shown."""
    from docutils import nodes, utils

    given = utils.unescape(text)
    title, target = title_and_target(given)
    return [nodes.reference(rawtext, shown(given), refuri=kind + target.strip(), untitled=not title)]


_LINKING = {"doc": _doc_role, "ref": _ref_role}


def title_and_target(text: str) -> tuple[str, str]:
    """Return the title and the target of `title <target>`; of another text none and the text. Linear.

    >>> title_and_target("the guide <guide>"), title_and_target("guide")
    (('the guide', 'guide'), ('', 'guide'))
    """
    title, opened, target = text.removesuffix(">").rpartition("<")
    if not opened or not text.endswith(">") or ">" in target:
        return "", text
    return title.rstrip(), target


def shown(text: str) -> str:
    """Return what a role shows: its title before `<target>`, else its text without the marks `~` and `!` of a name."""
    title, _ = title_and_target(text)
    if title:
        return title
    return text.removeprefix("!").rpartition(".")[2] if text.startswith("~") else text.removeprefix("!")


def _version_shown(name: str, argument: str) -> str:
    """Return what Sphinx shows for a directive about versions: which, and the text behind.

    >>> _version_shown("versionadded", "3.2 The lamp."), _version_shown("deprecated-removed", "3.8 3.10")
    ('New in version 3.2: The lamp.', 'Deprecated since version 3.8, to be removed in version 3.10')
    """
    how = VERSIONS.get(name.removeprefix("version").lstrip("-"), DEPRECATED)
    first, *text = argument.split()
    shown = f"{how} {first.rstrip(':,')}"
    if name == "deprecated-removed" and text:
        shown += f", to be removed in version {text.pop(0).rstrip(':,')}"
    return ": ".join([shown, " ".join(text)] if text else [shown])


class _AnyOption(dict[str, Any]):
    """Options of any name."""

    def __missing__(self, name: str) -> Any:
        return lambda value: value


@lru_cache(maxsize=1)
def _directives() -> tuple[Any, Any, Any, Any, Any, Any]:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class _Any(Directive):  # type: ignore[misc]
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption(name=str)

    class _Kept(_Any):
        def run(self) -> list[Any]:
            shown = [(name, value) for name in SHOWN_OPTIONS if (value := self.options.get(name))]
            is_object = bool(self.arguments) and (bool(shown) or self.name.lower().rpartition(":")[2] in OBJECTS)
            node = nodes.container(classes=[DESCRIPTION] if is_object else [])
            if self.arguments:
                node += self._inline(self.arguments[0])
            self.state.nested_parse(self.content, self.content_offset, node)
            for name, value in shown if is_object else ():
                option = self._inline(f"{name.capitalize()}: {' '.join(value.split())}")
                option["classes"].append(OF_DESCRIPTION)
                node += option
            return [node]

        def _inline(self, text: str) -> Any:
            children, _ = self.state.inline_text(text, self.lineno)
            return nodes.paragraph(text, "", *children)

    class _Version(_Kept):
        def run(self) -> list[Any]:
            self.arguments: list[str] = [_version_shown(self.name.lower(), str(each)) for each in self.arguments]
            (node,) = super().run()
            node["classes"].append(OF_VERSION)
            return [node]

    class _Within(_Any):
        def run(self) -> list[Any]:
            node = nodes.container()
            memo = self.state.memo
            around = memo.title_styles, memo.section_level
            # Titles here are told from each other by their own marks, as Sphinx does.
            memo.title_styles, memo.section_level = [], 0
            self.state.nested_parse(self.content, self.content_offset, node, match_titles=1)
            memo.title_styles, memo.section_level = around
            return [node]

    class _Code(_Any):
        def run(self) -> list[Any]:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)] if text.strip() else []

    class _Nothing(_Any):
        def run(self) -> list[Any]:
            return []

    class _Blank(_Any):
        def run(self) -> list[Any]:
            return [nodes.Text("")]

    return _Kept, _Code, _Version, _Within, _Nothing, _Blank
