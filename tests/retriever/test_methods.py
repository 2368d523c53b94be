"""Methods: expressions, what they print as, and what is said of those that are none."""

from __future__ import annotations

import random

import pytest

from retriever.methods import Method, Part, parse_method, take_options
from retriever.registry import ENTRIES, RANKING, Option, Value, known, offered
from weft.errors import WeftError

HERE = offered(*RANKING)
VALUES: dict[str, Value] = {
    "3": 3, "-4": -4, "0": 0, "0.35": 0.35, "-0.5": -0.5, "2e-05": 2e-05, "yes": True, "no": False,
    "007": "007", "0.50": "0.50", "+1": "+1", "1_000": "1_000", "-0": "-0", "True": "True", "Yes": "Yes",
    "gpt-4o:mini": "gpt-4o:mini", "a/b.c_d": "a/b.c_d", "größe": "größe", "٣": "٣",
}  # fmt: skip
"""What is written, and what is read: a number only where it prints as it was written."""

PRINTED = [text for text in VALUES if "+" not in text]
KEYS = ("h", "n", "graph", "a_b", "k2")


def _part(draw: random.Random, names: tuple[str, ...]) -> str:
    name = draw.choice(names)
    options = [f"{key}={draw.choice(PRINTED)}" for key in draw.sample(KEYS, draw.randrange(4))]
    return f"{name}({','.join(options)})" if options else name


def _expression(draw: random.Random) -> str:
    before = _part(draw, known("expansion")) + ">" if draw.random() < 0.5 else ""
    after = "+" + _part(draw, known("reranker")) if draw.random() < 0.5 else ""
    return f"{before}{_part(draw, known(*RANKING))}{after}"


@pytest.mark.parametrize("seed", range(300))
def test_what_is_parsed_prints_as_it_was_written(seed: int) -> None:
    draw = random.Random(seed)
    text = _expression(draw)
    method = parse_method(text)
    assert str(method) == text
    blank = "".join(f"{draw.choice(['', ' ', '  '])}{sign}{draw.choice(['', ' '])}" if sign in "(),=>+" else sign
                    for sign in text)  # fmt: skip
    assert parse_method(f" {blank} ") == method
    assert str(parse_method(blank)) == text


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("bm25", Method(Part("bm25"))),
        ("4step", Method(Part("4step"))),
        ("naive-hybrid(paths=2)", Method(Part("naive-hybrid", {"paths": 2}))),
        ("prf>vector", Method(Part("vector"), Part("prf"))),
        ("hybrid+listwise", Method(Part("hybrid"), None, Part("listwise"))),
        (
            "kar(h=2,graph=no) > path(single=yes) + pairwise(w=0.5)",
            Method(Part("path", {"single": True}), Part("kar", {"h": 2, "graph": False}), Part("pairwise", {"w": 0.5})),
        ),
    ],
)
def test_methods_are_read(text: str, method: Method) -> None:
    found = parse_method(text)
    assert found == method
    for part, expected in zip(found, method, strict=True):
        if part is not None and expected is not None:
            assert list(part.options) == list(expected.options), "options keep their order"


@pytest.mark.parametrize(("text", "value"), [(text, VALUES[text]) for text in PRINTED])
def test_a_value_has_the_kind_that_it_is_written_in(text: str, value: Value) -> None:
    found = parse_method(f"page(n={text})").ranker.options["n"]
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ": nothing is no ranker; write name or name(key=value,...)"),
        ("BM25", f"BM25: no ranker is named BM25; did you mean bm25? choose one of {', '.join(HERE)}"),
        ("bm25 vector", "bm25 vector: bm25 vector is no ranker; write name or name(key=value,...)"),
        ("page(n=3", "page(n=3: page(n=3 is no ranker; write name or name(key=value,...)"),
        ("page(n=(3))", "page(n=(3)): page(n=(3)) is no ranker; write name or name(key=value,...)"),
        (">vector", ">vector: nothing is no expansion; write name or name(key=value,...)"),
        ("kar>", "kar>: nothing is no ranker; write name or name(key=value,...)"),
        ("vector+", "vector+: nothing is no reranker; write name or name(key=value,...)"),
        ("kar>prf>vector", "kar>prf>vector: prf>vector is no ranker; write name or name(key=value,...)"),
        ("vector>kar", f"vector>kar: no expansion is named vector; choose one of {', '.join(offered('expansion'))}"),
        ("psychic", f"psychic: no ranker is named psychic; choose one of {', '.join(HERE)}"),
        ("kar", "kar: kar is an expansion, which stands before a ranker; write kar>hybrid or kar>bm25"),
        ("hyde(n=2)", "hyde(n=2): hyde is an expansion, which stands before a ranker; write hyde>hybrid or hyde>bm25"),
        ("prf>hyde", "prf>hyde: hyde is an expansion, which stands before a ranker; write hyde>hybrid or hyde>bm25"),
        ("pointwise", "pointwise: pointwise is a reranker, which stands behind a ranker; write hybrid+pointwise or"
                      " bm25+pointwise"),
        ("vector+bm25", "vector+bm25: no reranker is named bm25; choose one of pointwise, listwise, pairwise"),
        ("page(n)", "page(n): n is no option; write key=value"),
        ("page(n=)", "page(n=): n= is no option; write key=value"),
        ("page(N=3)", "page(N=3): N=3 is no option; write key=value"),
        ("page(n=3,)", "page(n=3,): nothing is no option; write key=value"),
        ("page(n=3 4)", "page(n=3 4): n=3 4 is no option; write key=value"),
        ("page(n=3,n=4)", "page(n=3,n=4): n is given twice"),
    ],
)  # fmt: skip
def test_what_is_no_method_is_told(text: str, complaint: str) -> None:
    with pytest.raises(WeftError) as error:
        parse_method(text)
    assert str(error.value) == complaint


DEFAULTS: dict[str, Value] = {"n": 3, "stop": 0.5, "single": False, "model": "small"}
KNOWN = {key: Option(value) for key, value in DEFAULTS.items()}


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({}, DEFAULTS),
        ({"n": 5}, DEFAULTS | {"n": 5}),
        ({"stop": 1}, DEFAULTS | {"stop": 1}),
        ({"stop": 0.25, "single": True, "model": "large"}, {"n": 3, "stop": 0.25, "single": True, "model": "large"}),
    ],
)
def test_options_stand_over_defaults(options: dict[str, Value], taken: dict[str, Value]) -> None:
    assert take_options(Part("page", options), KNOWN) == taken
    assert DEFAULTS == {"n": 3, "stop": 0.5, "single": False, "model": "small"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"m": 3}, "page: no option is named m; it has n, stop, single, model"),
        ({"n": 0.5}, "page: n=0.5 must be of type int"),
        ({"n": True}, "page: n=yes must be of type int"),
        ({"n": "few"}, "page: n=few must be of type int"),
        ({"stop": False}, "page: stop=no must be of type float"),
        ({"stop": "soon"}, "page: stop=soon must be of type float"),
        ({"single": 1}, "page: single=1 must be of type bool"),
        ({"single": "maybe"}, "page: single=maybe must be of type bool"),
        ({"model": True}, "page: model=yes must be of type str"),
    ],
)
def test_options_of_another_kind_are_refused(options: dict[str, Value], complaint: str) -> None:
    with pytest.raises(WeftError) as error:
        take_options(Part("page", options), KNOWN)
    assert str(error.value) == complaint


def test_a_part_without_options_says_so() -> None:
    with pytest.raises(WeftError, match=r"^bm25: no option is named n; it has none$"):
        take_options(Part("bm25", {"n": 1}), {})


@pytest.mark.parametrize(("text", "value"), [("0.50", 0.5), (".5", 0.5), ("2e-5", 2e-5), ("1e-3", 1e-3)])
def test_a_number_may_be_written_in_any_way(text: str, value: float) -> None:
    part = parse_method(f"graph(stop={text})").ranker
    assert str(part) == f"graph(stop={text})"
    assert take_options(part, {"stop": Option(0.35)}) == {"stop": value}


@pytest.mark.parametrize("text", ["nan", "inf", "-inf"])
def test_no_number_is_no_option(text: str) -> None:
    with pytest.raises(WeftError, match="must be of type float"):
        take_options(parse_method(f"graph(stop={text})").ranker, {"stop": Option(0.35)})


NUMERIC = [
    (method, key, option)
    for method, entry in ENTRIES.items()
    for key, option in entry.options.items()
    if type(option.default) in (int, float)
]


@pytest.mark.parametrize(("method", "key", "option"), NUMERIC)
def test_every_number_has_a_range(method: str, key: str, option: Option) -> None:
    assert option.least is not None and option.most is not None
    assert isinstance(option.default, int | float) and option.least <= option.default <= option.most
    kind = type(option.default)
    for inside in (option.least, option.most):
        assert take_options(Part(method, {key: kind(inside)}), ENTRIES[method].options)[key] == inside
    step = 1 if kind is int else option.least / 2 or 0.5
    for outside in (option.least - step, option.most + 1, -3):
        with pytest.raises(WeftError) as error:
            take_options(Part(method, {key: kind(outside)}), ENTRIES[method].options)
        told = f"{method}: {key}={kind(outside)} must be from {option.least:,} to {option.most:,}"
        assert str(error.value) == told
