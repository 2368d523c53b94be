"""Templates that make blocks: lists, quotations, captions of images."""

from __future__ import annotations

import re
from collections.abc import Iterable

from builder.readers.wikitext.links import box_of_caption
from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.phrases import given

NUMBERED_CAPTION = re.compile(r"caption\d*$|footer$")


def _items(call: Call, page: Page, frame: str) -> str:
    shown = "".join(f"<li>{item}</li>" for item in given(call))
    return frame.replace("…", shown) if shown else ""


def _block(call: Call, page: Page, value: str) -> str:
    """Keep a block of wikitext, such as a list, on lines of its own."""
    text = call.get("1", "content", "items", "text")
    return f"<div>\n{text}\n</div>" if "\n" in text or text[:1] in "*#:;" else text


def _titled_list(call: Call, page: Page, frame: str) -> str:
    title = f"<div>{call.get('title')}</div>" if call.get("title") else ""
    return title + (_block if len(call.positional) == 1 else _items)(call, page, frame)


def _quote(call: Call, page: Page, value: str) -> str:
    text = call.get("text", "quote", "1", "content", "quotetext")
    credits = (call.get("author", "sign", "by", "2"), call.get("title"), call.get("source", "3"))
    source = ", ".join(filter(None, credits))
    shown = f"{text}\n<p>— {source}</p>" if source else f"{text}\n"
    return f"<blockquote>\n{shown}</blockquote>\n" if text else ""


def _captions(call: Call, page: Page, value: str) -> str:
    return _boxes(shown for key, shown in call.named.items() if NUMBERED_CAPTION.match(key))


def _wide_image(call: Call, page: Page, value: str) -> str:
    return _boxes([call.get("3", "caption")])


def _gallery(call: Call, page: Page, value: str) -> str:
    return _boxes(call.positional[1::2])


def _boxes(captions: Iterable[str]) -> str:
    return "".join(box_of_caption(caption) for caption in captions if caption.strip())


RULES: dict[str, Rule] = {
    "block": _block, "items": _items, "titled list": _titled_list, "quotation": _quote, "captions": _captions,
    "caption": _wide_image, "gallery": _gallery,
}  # fmt: skip
