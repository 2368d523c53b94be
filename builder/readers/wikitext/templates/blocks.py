"""Templates that make blocks: lists, quotations, captions of images."""

from __future__ import annotations

import re

from builder.readers.wikitext.links import box_of_caption
from builder.readers.wikitext.state import Call, Page, Rule

NUMBERED_CAPTION = re.compile(r"caption\d*$|footer$")


def bullets(items: list[str], kind: str = "plainlist") -> str:
    """Return a list of items without signs."""
    shown = "".join(f"<li>{item.strip()}</li>" for item in items if item.strip())
    return f'<div class="{kind}"><ul>{shown}</ul></div>' if shown else ""


def _items(call: Call, page: Page, value: str) -> str:
    return bullets(call.positional)


def _block(call: Call, page: Page, value: str) -> str:
    """Keep a block of wikitext, such as a list, on lines of its own."""
    text = call.get("1", "content", "items", "text")
    return f"<div>\n{text}\n</div>" if "\n" in text or text[:1] in "*#:;" else text


def _titled_list(call: Call, page: Page, value: str) -> str:
    title = call.get("title")
    inner = bullets(call.positional) if len(call.positional) != 1 else _block(call, page, value)
    return (f"<div>{title}</div>" if title else "") + inner


def _ordered(call: Call, page: Page, value: str) -> str:
    return "<ol>" + "".join(f"<li>{item.strip()}</li>" for item in call.positional if item.strip()) + "</ol>"


def _quote(call: Call, page: Page, value: str) -> str:
    text = call.get("text", "quote", "1", "content", "quotetext")
    if not text:
        return ""
    credits = [call.get(*keys) for keys in (("author", "sign", "by", "2"), ("title",), ("source", "3"))]
    source = ", ".join(part for part in credits if part)
    return f"<blockquote>\n{text}\n" + (f"<p>— {source}</p>" if source else "") + "</blockquote>\n"


def _captions(call: Call, page: Page, value: str) -> str:
    captions = [shown for key, shown in call.named.items() if NUMBERED_CAPTION.match(key) and shown]
    return "".join(map(box_of_caption, captions))


def _wide_image(call: Call, page: Page, value: str) -> str:
    return box_of_caption(call.get("3", "caption")) if call.get("3", "caption") else ""


def _gallery(call: Call, page: Page, value: str) -> str:
    return "".join(box_of_caption(shown) for shown in call.positional[1::2] if shown.strip())


def _legend(call: Call, page: Page, value: str) -> str:
    return f"<div>{call.get('2')}</div>" if call.get("2") else ""


RULES: dict[str, Rule] = {
    "block": _block, "items": _items, "titled list": _titled_list, "numbered list": _ordered, "quotation": _quote,
    "captions": _captions, "caption": _wide_image, "gallery": _gallery, "legend": _legend,
}  # fmt: skip
