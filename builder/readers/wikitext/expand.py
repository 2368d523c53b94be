"""Wikitext without its templates: one pass over braces, double brackets, comments and extension tags.

Markup is matched as MediaWiki's preprocessor does, from the inside out on one
stack, so that the time is linear in the text whatever is left open: what is
never closed is plain text. (mwparserfromhell, which finds the same templates
and links in real pages, is some times slower there and needs minutes for 40 KB
of `{{a|`.)
"""

from __future__ import annotations

import re

from builder.readers.wikitext.state import MAX_DEPTH, Call, Page, escape_stray

NONCHARACTERS = re.compile("[\ufdd0-\ufdef\x00-\x08\x0b\x0c\x0e-\x1f]")
EXTENSION_TAGS = """
    nowiki ref references math chem ce pre syntaxhighlight source gallery timeline score hiero imagemap poem
    templatedata templatestyles section indicator includeonly graph chart mapframe maplink inputbox
    categorytree charinsert dynamicpagelist phonos langconvert
"""
TOKEN = re.compile(
    r"\{{2,}|\}{2,}|\[{2,}|\]\]|\||<!--|<(?=/?(?:"
    + "|".join((*EXTENSION_TAGS.split(), "noinclude", "onlyinclude"))
    + r")\b)",
    re.I,
)
TAG = re.compile(r"<(/?)([a-zA-Z]+)\b([^<>]*?)(/?)>")
ALONE_BEFORE, ALONE_AFTER = re.compile(r"(?:^|\n)[ \t]*$"), re.compile(r"[ \t]*(?:\n|$)")


class Done(str):
    """Text that has been resolved: bars and equal signs in it part nothing."""

    __slots__ = ()


def expand(text: str, page: Page) -> str:
    """Return wikitext without templates, links, comments and extension tags; linear in the text."""
    return resolve(NONCHARACTERS.sub("", text.replace("\r\n", "\n")), page)


def resolve(text: str, page: Page) -> str:
    """Resolve wikitext that stands within an extension tag."""
    if page.depth > MAX_DEPTH:
        return ""
    page.depth += 1
    resolved = _Scan(text, page).run()
    page.depth -= 1
    return resolved


class _Frame:
    """An opened pair: `width` braces, or two brackets (width 0); `args` are lists of pieces."""

    __slots__ = ("alone", "args", "text", "width")

    def __init__(self, width: int, text: str, alone: bool) -> None:
        self.width, self.text, self.alone = width, text, alone
        self.args: list[list[str]] = [[]]

    def flat(self) -> list[str]:
        """Return the frame as the plain text that it is when nothing closes it."""
        pieces = [self.text]
        for number, arg in enumerate(self.args):
            pieces += ["|", *arg] if number else arg
        return pieces


class _Scan:
    """One pass over a text; the lowest frame takes the result."""

    def __init__(self, text: str, page: Page) -> None:
        self.text, self.page = text, page
        self.stack = [_Frame(-1, "", False)]
        self.n_braces = 0
        self.position = 0
        self.unclosed_tags: set[str] = set()

    def run(self) -> str:
        text, token = self.text, TOKEN
        while found := token.search(text, self.position):
            start = found.start()
            self.put(text[self.position : start])
            self.position = found.end()
            self.take(found[0], start)
        self.put(text[self.position :])
        self.flatten(0)
        return "".join(self.stack[0].args[0])

    def put(self, raw: str) -> None:
        if raw:
            self.stack[-1].args[-1].append(escape_stray(raw) if "<" in raw or "&" in raw else raw)

    def add(self, resolved: str) -> None:
        if resolved:
            self.stack[-1].args[-1].append(Done(resolved))

    def take(self, token: str, start: int) -> None:
        top = self.stack[-1]
        if token == "|":
            if top.width < 0:
                top.args[-1].append("|")
            else:
                top.args.append([])
        elif token[0] == "{":
            self.open_braces(token, start)
        elif token[0] == "}":
            self.close_braces(len(token))
        elif token[0] == "[":
            top.args[-1].append("[" * (len(token) - 2))
            self.stack.append(_Frame(0, "[[", False))
        elif token == "]]":
            self.close_link()
        elif token == "<!--":
            self.skip_comment(start)
        else:
            self.take_tag(start)

    def open_braces(self, token: str, start: int) -> None:
        alone = bool(ALONE_BEFORE.search(self.text, max(0, start - 20), start))
        self.stack.append(_Frame(len(token), token, alone))
        self.n_braces += 1

    def close_braces(self, width: int) -> None:
        while width >= 2 and self.n_braces:
            # A link left open within a template ends with it.
            level = len(self.stack) - 1
            while self.stack[level].width == 0:
                level -= 1
            self.flatten(level)
            frame = self.stack.pop()
            self.n_braces -= 1
            used = min(width, frame.width, 3)
            width -= used
            last = frame.width - used < 2
            resolved = self.resolve(frame, used, frame.alone and last)
            if last:
                self.stack[-1].args[-1].append("{" * (frame.width - used))
            else:
                outer = _Frame(frame.width - used, "{" * (frame.width - used), frame.alone)
                self.stack.append(outer)
                self.n_braces += 1
            self.add(resolved)
        self.put("}" * width)

    def resolve(self, frame: _Frame, used: int, alone: bool) -> str:
        if len(self.stack) > MAX_DEPTH:
            return ""
        if used == 3:
            return "".join(frame.args[1]) if len(frame.args) > 1 else ""
        alone = alone and bool(ALONE_AFTER.match(self.text, self.position))
        return self.page.rules.template(_call(frame.args, alone), self.page)

    def close_link(self) -> None:
        if self.stack[-1].width != 0:
            self.stack[-1].args[-1].append("]]")
            return
        frame = self.stack.pop()
        if len(self.stack) > MAX_DEPTH:
            return
        parts = ["".join(arg) for arg in frame.args]
        if self.text.startswith("]", self.position) and parts[-1].count("[") > parts[-1].count("]"):
            parts[-1] += "]"
            self.position += 1
        trail = self.page.rules.trail.match(self.text, self.position)
        resolved = self.page.rules.link([*parts, trail[0] if trail else ""], self.page)
        if resolved is None:
            self.stack[-1].args[-1].append(Done("[[" + "|".join(parts) + "]]"))
            return
        self.position = trail.end() if trail else self.position
        self.add(resolved)

    def flatten(self, level: int) -> None:
        """Make all frames above a level the plain text that they are, at the end of the frame there."""
        self.stack[level].args[-1] += [piece for frame in self.stack[level + 1 :] for piece in frame.flat()]
        del self.stack[level + 1 :]

    def skip_comment(self, start: int) -> None:
        end = self.text.find("-->", self.position)
        self.position = len(self.text) if end < 0 else end + 3
        # A comment alone on its line takes the line with it.
        line = self.text.rfind("\n", max(0, start - 100), start) + 1
        if (line or start == 0) and not self.text[line:start].strip(" \t"):
            rest = ALONE_AFTER.match(self.text, self.position)
            self.position = rest.end() if rest else self.position

    def take_tag(self, start: int) -> None:
        found = TAG.match(self.text, start)
        if not found:
            self.add("&lt;")
            return
        closing, name, attributes, empty = found[1], found[2].lower(), found[3], found[4]
        self.position = found.end()
        if closing or name in ("noinclude", "onlyinclude"):
            return
        content = "" if empty else self.content_of(name)
        if content is not None:
            self.add(self.page.rules.tag(name, attributes, content, self.page))

    def content_of(self, name: str) -> str | None:
        ""
        """Return what stands before the closing tag; None, when there is none, leaves out the tag alone."""
        if name in self.unclosed_tags:
            return None
        end = re.compile(rf"</{name}\s*>", re.I).search(self.text, self.position)
        if not end:
            self.unclosed_tags.add(name)
            return None
        content = self.text[self.position : end.start()]
        self.position = end.end()
        return content


def _call(args: list[list[str]], alone: bool) -> Call:
    head = "".join(args[0]).strip()
    name = " ".join(head[:200].replace("_", " ").split()).lower()
    positional: list[str] = []
    named: dict[str, str] = {}
    for arg in args[1:]:
        key, value = _split(arg)
        if key is None:
            positional.append(value)
        elif key.isdecimal() and len(key) < 5 and 0 < int(key) <= len(positional) + 1:
            _put(positional, int(key) - 1, value.strip())
        elif value.strip() or key not in named:
            named[key] = value.strip()
    return Call(name, positional, named, head, alone)


def _put(positional: list[str], index: int, value: str) -> None:
    if index == len(positional):
        positional.append(value)
    else:
        positional[index] = value


def _split(arg: list[str]) -> tuple[str | None, str]:
    """Part an argument at its first equal sign that no template or link has given."""
    for number, piece in enumerate(arg):
        if type(piece) is str and "=" in piece:
            before, _, after = piece.partition("=")
            return "".join((*arg[:number], before)).strip(), "".join((after, *arg[number + 1 :]))
    return None, "".join(arg)
