"""Verification: a plain world gives a question, and each planted fault is rejected with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.session import Session
from retriever.synthesis.patterns.draft import Draft
from retriever.testsets.make import MOST_SAME_FACT, SAME_BRIDGE, Made, make
from retriever.testsets.verify import CHECKS, FACT_CHECKS, rejection
from tests.worlds import link, page, triple, write_pages, write_records
from weft.skb import Skb

BRIDGE = page("Quern Bridge", f"Quern Bridge was designed by {link('Tessa Quayle')}. Nine oaken piers carry it.")
DESIGNER = page("Tessa Quayle", f"Tessa Quayle was an engineer. She was born in {link('Old Marsh')}.")
MARSH = page("Old Marsh", "Old Marsh is a village. Herons nest there.")
ASKED = {"Where was the designer of Quern Bridge born?", "Where was the person who designed Quern Bridge born?",
         "In which village was the designer of Quern Bridge born?",
         "In which village was the person who designed Quern Bridge born?"}  # fmt: skip

Build = Callable[..., Made]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Build]:
    """Give what makes a set of pages by their file names."""
    with ExitStack() as stack:

        def make_of(patterns: tuple[str, ...] = ("bridge",), **pages: str) -> Made:
            folder = write_pages(tmp_path / "pages", {f"{name}.html": text for name, text in pages.items()})
            build(Request((str(folder),), tmp_path / "kb.skb", workers=1))
            session = stack.enter_context(Session(Context(stack.enter_context(Skb(tmp_path / "kb.skb")))))
            return make(session, 20, patterns)

        yield make_of


def _born(made: Made) -> Draft:
    return next(draft for draft in made.drafts if draft.question in ASKED)


def _reasons(made: Made) -> set[str]:
    return {reason for _, reason in made.rejected}


def test_a_plain_world_gives_a_bridge_question(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH)
    draft = _born(found)
    assert draft.answers[0] == "Old Marsh"
    assert len(draft.chunks) == draft.hops == 2
    assert rejection(found.evidence, draft) is None


def test_a_leaked_bridge_is_rejected(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH)
    for name in ("Tessa Quayle, who designed", "T. Quayle of", "the Tessa Quaylean"):
        leaked = _born(found)._replace(question=f"Where was {name} Quern Bridge born?")
        assert rejection(found.evidence, leaked) == "the bridge is named in the question or the answer"


def test_initials_are_no_word_twice(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH)
    draft = _born(found)
    asked = draft._replace(question="Where was the friend of P. P. Quint, who designed Quern Bridge, born?")
    assert rejection(found.evidence, asked) is None
    doubled = draft._replace(question="Where was the the designer of Quern Bridge born?")
    assert "a word twice" in (rejection(found.evidence, doubled) or "")


def test_a_second_answer_is_rejected(made: Build) -> None:
    other = page("Dray Hollin", f"{link('Tessa Quayle')} was born in {link('Dray Hollin (hamlet)', 'Dray Hollin')}.")
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH, d=other)
    assert not ASKED & {draft.question for draft in found.drafts}
    assert "another path gives another answer" in _reasons(found)


def test_a_single_hop_shortcut_is_rejected(made: Build) -> None:
    told = page("Chronicle", "Whoever crosses Quern Bridge must know that its maker came from Old Marsh.")
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH, d=told)
    assert not ASKED & {draft.question for draft in found.drafts}
    assert "one chunk has what is named and the answer" in _reasons(found)


def test_a_fact_that_leads_to_the_answer_at_once_is_rejected(made: Build) -> None:
    straight = page("Quern Bridge", f"Quern Bridge was designed by {link('Tessa Quayle')}.",
                    f"Quern Bridge is located in {link('Old Marsh')}.")  # fmt: skip
    found = made(a=straight, b=DESIGNER, c=MARSH)
    assert not ASKED & {draft.question for draft in found.drafts}
    assert "one fact leads to the answer at once" in _reasons(found)


def test_a_chunk_that_merely_has_both_ends_is_evidence_only_by_request(tmp_path: Path) -> None:
    bridge = page("Quern Bridge", f"Whoever praises Quern Bridge thinks of {link('Tessa Quayle')}.")
    folder = write_pages(tmp_path / "pages", {"a.html": bridge, "b.html": DESIGNER, "c.html": MARSH})
    facts = tmp_path / "facts.nt"
    facts.write_text(triple("Quern_Bridge", "designer", "Tessa_Quayle"), encoding="utf-8")
    build(Request((str(folder),), tmp_path / "kb.skb", rdf=(str(facts),), workers=1))
    with _session(tmp_path / "kb.skb") as session:
        asked = {only: {each.question for each in make(session, 9, ("bridge",), only_said=only).drafts}
                 for only in (True, False)}  # fmt: skip
    assert not ASKED & asked[True]
    assert ASKED & asked[False]


def test_an_answer_that_stands_nowhere_is_rejected(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH)
    lost = _born(found)._replace(answers=("Pell Ordway",))
    assert rejection(found.evidence, lost) == "the answer stands in no gold chunk"


def test_a_second_bridge_is_rejected(made: Build) -> None:
    two = page("Quern Bridge", f"Quern Bridge was designed by {link('Tessa Quayle')} and {link('Abe Orr')}.")
    found = made(a=two, b=DESIGNER, c=MARSH)
    assert not ASKED & {draft.question for draft in found.drafts}
    assert "the bridge is not the only one that is described so" in _reasons(found)


def test_evidence_that_does_not_touch_the_bridge_is_rejected(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH, d=page("Elsewhere", "Old Marsh has no tower."))
    draft = _born(found)
    elsewhere = found.evidence.saying(("no tower",))[0]
    moved = draft._replace(facts=(draft.facts[0], draft.facts[1]._replace(chunk=elsewhere)))
    assert rejection(found.evidence, moved) == "evidence does not touch the bridge"


def test_a_single_question_says_it_otherwise_and_its_answer_stands_once(made: Build) -> None:
    found = made(("single",), a=BRIDGE, b=DESIGNER)
    draft = next(each for each in found.drafts if each.question == "Where was Tessa Quayle born?")
    copied = draft._replace(question="She was born in old what?")
    assert rejection(found.evidence, copied) == "five words in a row are its chunk's"
    twice = made(("single",), a=BRIDGE, b=DESIGNER, c=MARSH)
    assert draft.question not in {each.question for each in twice.drafts}
    assert "the answer stands in another chunk too" in _reasons(twice)


FILM = "{} is a 1990 film starring {} and {}."


def test_an_intersection_needs_both_facts(made: Build) -> None:
    ann, ben, cid = link("Ann Orr"), link("Ben Sykes"), link("Cid Moss")
    one = page("Red Kite", FILM.format("Red Kite", ann, ben))
    two = page("Blue Barge", FILM.format("Blue Barge", ann, cid))
    found = made(("intersection",), a=one, b=two)
    (draft,) = found.drafts
    assert "both" in draft.question or "as well as" in draft.question
    assert draft.answers == ("Ann Orr",)
    alone = draft._replace(paths=(draft.paths[0], draft.paths[0]))
    assert rejection(found.evidence, alone) == "both facts together have another answer too"
    both = page("Blue Barge", FILM.format("Blue Barge", ann, ben))
    assert "both facts together have another answer too" in _reasons(made(("intersection",), a=one, b=both))


def test_a_comparison_needs_two_values(made: Build) -> None:
    one = page("Red Kite", FILM.format("Red Kite", "Ann Orr", "Ben Sykes"))
    two = page("Sea Fog", "Sea Fog is a 1971 film.")
    found = made(("comparison",), a=one, b=two)
    (draft,) = found.drafts
    assert draft.answers[0] in ("Red Kite", "Sea Fog")
    unnamed = draft._replace(question="Which film was released first?")
    assert rejection(found.evidence, unnamed) == "not both are named"
    same = made(("comparison",), a=one, b=page("Sea Fog", "Sea Fog is a 1990 film."))
    assert same.drafts == []


def test_dates_of_one_age_are_compared_first(made: Build) -> None:
    years = {"Red Kite": 1990, "Sea Fog": 1901, "Blue Barge": 1995, "Old Oar": 1908}
    found = made(("comparison",), **{name.split()[0]: page(name, f"{name} is a {year} film.")
                                     for name, year in years.items()})  # fmt: skip
    compared = {frozenset(found.evidence.naming.title(each) for each in draft.named) for draft in found.drafts}
    assert compared == {frozenset(("Red Kite", "Blue Barge")), frozenset(("Sea Fog", "Old Oar"))}


def test_what_is_of_no_known_kind_is_not_compared_across_pages(made: Build) -> None:
    one = page("Red Kite", "Red Kite was founded in 1990.")
    found = made(("comparison",), a=one, b=page("Sea Fog", "Sea Fog was founded in 1971."))
    assert found.drafts == []


def test_what_may_happen_more_than_once_is_not_compared(made: Build) -> None:
    told = {name: page(name, f"{name} was a painter. He moved in {year}.")
            for name, year in (("Red Kite", 1871), ("Abe Fog", 1890))}  # fmt: skip
    assert made(("comparison",), a=told["Red Kite"], b=told["Abe Fog"]).drafts == []


def test_every_pattern_declares_checks_of_text_and_of_facts() -> None:
    assert CHECKS.keys() == FACT_CHECKS.keys()
    assert all(len(checks) == len({reason for reason, _ in checks}) for checks in CHECKS.values())


@contextmanager
def _session(path: Path) -> Iterator[Session]:
    with Skb(path) as skb, Session(Context(skb)) as session:
        yield session


def test_the_same_seed_gives_the_same_set_and_another_one_another(world: Path) -> None:
    def questions(seed: int) -> list[str]:
        with _session(world) as session:
            return [draft.question for draft in make(session, 30, seed=seed).drafts]

    assert questions(1) == questions(1) != questions(2)


def test_no_bridge_has_most_of_a_set(world: Path) -> None:
    with _session(world) as session:
        made = make(session, 80, ("bridge",))
    over = Counter(bridge for draft in made.drafts for bridge in draft.bridges)
    assert max(over.values()) <= max(MOST_SAME_FACT, int(80 * SAME_BRIDGE))


def test_what_is_made_of_the_fixtures_holds_what_patterns_promise(world: Path) -> None:
    with _session(world) as session:
        made = make(session, 60, ("bridge", "intersection", "comparison", "single"))
        assert {draft.pattern for draft in made.drafts} == set(CHECKS)
        for draft in made.drafts:
            assert len(draft.chunks) == draft.hops
            said = [made.evidence.holds(chunk, draft.answers) for chunk in draft.chunks]
            assert draft.pattern == "comparison" or any(said)
            assert not any(made.evidence.naming.title(each) in draft.question for each in draft.bridges)
        assert sum(made.proposed.values()) >= len(made.drafts) + sum(made.rejected.values()) - 1


def test_no_two_intersections_join_the_same_predicates_of_the_same_chunks(world: Path) -> None:
    with _session(world) as session:
        drafts = make(session, 60, ("intersection",)).drafts
    asked = [(draft.answer, frozenset(draft.chunks), frozenset(step for path in draft.paths for step in path.steps))
             for draft in drafts]  # fmt: skip
    assert len(set(asked)) == len(asked) > 3


def test_an_answer_in_words_does_not_stand_in_the_question(made: Build) -> None:
    found = made(a=BRIDGE, b=DESIGNER, c=MARSH)
    told = _born(found)._replace(question="How many piers has the bridge of twelve piers?", answers=("12",))
    assert rejection(found.evidence, told) == "the answer stands in the question"


@pytest.mark.parametrize(("said", "described"), [("died of", False), ("was born in", False), ("edited", True)])
def test_what_many_things_share_describes_none_of_them(made: Build, said: str, described: bool) -> None:
    told = page("Annals", f"{link('Tessa Quayle')} {said} {link('Quern Fever')}.")
    writer = page("Tessa Quayle", f"Tessa Quayle was a writer. She is married to {link('Abe Orr')}.")
    found = made(a=told, b=writer, c=page("Quern Fever", "Quern Fever is known."))
    assert any(f"{said} Quern Fever" in draft.question for draft in found.drafts) == described


def test_together_all_that_each_fact_is_true_of_is_seen(tmp_path: Path, weave: Callable[..., object]) -> None:
    folder, films = tmp_path / "films", [f"f{number:03}" for number in range(81)]
    folder.mkdir()
    people = {"p1": "Ann Lee", "p2": "Ben Sykes", "g1": "Crime"}
    write_records(folder / "nodes.jsonl", [
        *({"uri": uri, "name": f"Nightfall {uri}", "type": "film"} for uri in films),
        *({"uri": uri, "name": name, "type": "genre" if uri == "g1" else "person"} for uri, name in people.items()),
    ])  # fmt: skip
    directed = {"p1": (3, 70, 75), "p2": (60, 80)}
    edges = [*(f"{uri}\thas_genre\tg1" for uri in films[:80]),
             *(f"f{number:03}\tdirected_by\t{uri}" for uri, each in directed.items() for number in each)]  # fmt: skip
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n" + "\n".join(edges) + "\n", encoding="utf-8")
    weave(folder)
    with _session(tmp_path / "kb.skb") as session:
        made = make(session, 20, ("intersection",))
        found = {(draft.answers[0], made.evidence.naming.title(end)) for draft in made.drafts for end in draft.named}
    assert found == {("Nightfall f060", "Ben Sykes"), ("Nightfall f060", "Crime")}
    assert "both facts together have another answer too" in _reasons(made)


@pytest.mark.parametrize(("predicate", "asked"), [("target", False), ("interacts_with", True)])
def test_a_role_that_edges_give_both_ends_is_not_asked(
    predicate: str, asked: bool, tmp_path: Path, weave: Callable[..., object]
) -> None:
    folder, names = tmp_path / "drugs", ("Orrine", "Kellin", "Vess One", "Vess Two", "Vess Three")
    folder.mkdir()
    write_records(folder / "nodes.jsonl", [{"uri": name, "name": name, "type": "drug"} for name in names])
    ends = [(0, 2), (0, 3), (1, 2), (1, 4)]
    edges = [f"{names[one]}\t{predicate}\t{names[other]}\n"
             for pair in ends for one, other in (pair, pair[::-1])]  # fmt: skip
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n" + "".join(edges), encoding="utf-8")
    weave(folder)
    with _session(tmp_path / "kb.skb") as session:
        assert bool(make(session, 20, ("intersection",)).drafts) == asked


@pytest.mark.parametrize(("sibling", "asked"), [("Virgie", False), ("Pell_Ordway", True)])
def test_a_state_is_nobody_s_sibling(sibling: str, asked: bool, tmp_path: Path, weave: Callable[..., object]) -> None:
    name = sibling.replace("_", " ")
    told = "Virgie is a state. Virgie borders {}." if sibling == "Virgie" else "Pell Ordway is a painter. {} knew him."
    pages = {"a.html": page(name, told.format(link("Hask"))),
             "b.html": page("Orrin Tasker", f"Orrin Tasker was a painter. {link(name)} was a sibling of his."),
             "c.html": page("Hask", f"Hask is a state. It was praised by {link(name)}.")}  # fmt: skip
    facts = tmp_path / "facts.nt"
    facts.write_text(triple(sibling, "siblingOf", "Orrin_Tasker"), encoding="utf-8")
    weave(write_pages(tmp_path / "pages", pages), rdf=(str(facts),))
    with _session(tmp_path / "kb.skb") as session:
        made = make(session, 20, ("bridge",))
    assert any("sibling" in draft.question for draft in made.drafts) == asked
    assert ("two things of one name may be taken for one" in _reasons(made)) != asked
