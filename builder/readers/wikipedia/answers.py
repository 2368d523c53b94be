"""The answers of a MediaWiki's `api.php` (formatversion 2) as far as they are used, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, ValidationError

LARGEST = 2**63 - 1
"""The largest integer that SQLite can store."""

Title = Annotated[str, Field(min_length=1, max_length=1_000)]
Revision = Annotated[int, Field(ge=0, le=LARGEST)]
AnswerModel = TypeVar("AnswerModel", bound=BaseModel)


class NotJson(ValueError):
    """The answer is no JSON object at all, or only a part of one."""


class Malformed(ValueError):
    """The answer is an object of another shape, or damaged within; the message names the field and the fault."""


class Problem(BaseModel):
    """An error in the wiki's own words."""

    code: str = ""
    info: str = ""

    def __str__(self) -> str:
        """Return one line."""
        return " ".join((self.info or self.code or "the answer has no text").split())[:200]


class Step(BaseModel):
    """A name that was normalised or redirected to another."""

    source: str = Field(alias="from")
    target: Title = Field(alias="to")


class Titled(BaseModel):
    """Anything with a title."""

    title: Title


class PageRevision(BaseModel):
    """A version of a page."""

    revid: Revision
    timestamp: Annotated[str, Field(max_length=40)] | None = None


class ListedPage(BaseModel):
    """The data of a page except its text."""

    title: Title
    invalid: bool = False
    invalidreason: str = "no valid title"
    missing: bool = False
    special: bool = False
    revisions: list[PageRevision] = []
    redirects: list[Titled] = []


class Query(BaseModel):
    """What `action=query` finds."""

    normalized: list[Step] = []
    redirects: list[Step] = []
    interwiki: list[Titled] = []
    pages: list[ListedPage] = []


class Replied(BaseModel):
    """Any answer."""

    error: Problem | None = None


class QueryAnswer(Replied):
    """The answer to `action=query`; `going_on` is what the next request adds."""

    going_on: dict[str, str | int] | None = Field(None, alias="continue")
    query: Query = Query()


class ParsedPage(BaseModel):
    """A page's text."""

    revid: Revision = 0
    text: str


class ParseAnswer(Replied):
    """The answer to `action=parse`."""

    parse: ParsedPage | None = None


def read_answer(model: type[AnswerModel], body: bytes) -> AnswerModel:
    """Return a checked answer; raise NotJson or Malformed."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        if first["type"] == "json_invalid" and not (body.lstrip()[:1] == b"{" and body.rstrip()[-1:] == b"}"):
            raise NotJson(first["msg"]) from error
        where = ".".join(map(str, first["loc"])) or "the answer"
        raise Malformed(f"{where[:100]}: {first['msg'][:100]}") from error
