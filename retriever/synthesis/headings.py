"""Questions of people who look something up: a heading as it stands or asked for, or a few words it is known by.

A page's title stands for its lead, unless a heading on the page says it too: what
stands above that is navigation or front matter. A heading that several sections
have is asked for with its page's title, as people do who see that it means too
much. Gold are the section's own chunks; of keywords those that hold them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.index.terms import rarities
from retriever.session import Session
from retriever.synthesis.compose import SyntheticQuestion
from weft.rows import Chunk
from weft.text.names import name_key
from weft.text.normalise import STOP_WORDS, WORD
from weft.text.stems import stem

# How often a section is asked for by keywords, and how often its heading stands with its page's title or in a question.
KEYWORDS, WITH_TITLE, ASKED = 0.3, 0.3, 0.3
MOST_KEYWORDS = 4
# Keywords are drawn from so many of the words that tell a chunk from others.
TELLING = 8
OPENINGS = ("how do I", "how to", "what is", "where is", "tell me about", "what about")


def heading_questions(session: Session, n: int, seed: int = 0) -> Iterator[SyntheticQuestion]:
    """Yield at most n questions, each for another section or lead; same SKB and seed, same questions."""
    random = np.random.default_rng(seed)
    chunk_table = session.chunk_table
    places = np.unique(np.column_stack([chunk_table.pages, chunk_table.sections]), axis=0)
    often = _often(session)
    made = 0
    for page, section in random.permutation(places).tolist():
        if made == n:
            return
        if not section and _is_repeated(session, page):
            continue
        chunks = _own_chunks(session, page, section)
        question = _by_keywords(session, chunks, random) if random.random() < KEYWORDS else None
        question = question or _by_heading(session, chunks, section, often, random)
        if question is not None:
            made += 1
            yield question


def _often(session: Session) -> Counter[str]:
    """Count how many sections have each heading, or pages that have it nowhere but as their title."""
    connection = session.skb.connection
    headings = [(page, name_key(title)) for page, title in connection.execute("SELECT page_id, title FROM section")]
    titles = {(page, name_key(title)) for page, title in connection.execute("SELECT id, title FROM page")}
    return Counter(name for _, name in [*headings, *(titles - set(headings))])


def _is_repeated(session: Session, page: int) -> bool:
    """Tell whether one of a page's headings says all words of its title, what stands in parentheses apart."""
    (row,) = session.skb.pages([page])
    title = set(name_key(row.title.partition(" (")[0]).split())
    headings = session.skb.connection.execute("SELECT title FROM section WHERE page_id = ?", (page,))
    return any(title <= set(name_key(heading).split()) for (heading,) in headings)


def _own_chunks(session: Session, page: int, section: int) -> list[Chunk]:
    if section:
        return session.skb.chunks_of_section(section)
    return [chunk for chunk in session.skb.chunks_of_page(page) if chunk.section_id is None]


def _by_heading(
    session: Session, chunks: Sequence[Chunk], section: int, often: Counter[str], random: np.random.Generator
) -> SyntheticQuestion | None:
    (page,) = session.skb.pages([chunks[0].page_id])
    heading = session.skb.sections([section])[0].title if section else page.title
    if not any(word.casefold() not in STOP_WORDS for word in WORD.findall(heading)):
        return None
    if section and (often[name_key(heading)] > 1 or random.random() < WITH_TITLE):
        asked = f"{page.title} {heading}" if random.random() < 0.5 else f"{heading} {page.title}"
    elif often[name_key(heading)] == 1:
        asked = heading
    else:
        return None
    if random.random() < ASKED:
        asked = f"{random.choice(OPENINGS)} {asked[0].lower()}{asked[1:]}"
    text = asked.lower() if random.random() < 0.5 else asked
    return SyntheticQuestion(text, np.array(sorted(chunk.id for chunk in chunks)))


def _by_keywords(
    session: Session, chunks: Sequence[Chunk], random: np.random.Generator
) -> SyntheticQuestion | None:
    """Ask by one to four of the words that a chunk says most often and others seldom."""
    chunk = chunks[int(random.integers(len(chunks)))]
    words = Counter(word.lower() for word in WORD.findall(chunk.text) if word.casefold() not in STOP_WORDS)
    rarity = rarities(session, {stem(word) for word in words})
    weighed = sorted(words, key=lambda word: (-words[word] * rarity[stem(word)], word))[:TELLING]
    if len(weighed) < 2:
        return None
    n = int(random.integers(1, MOST_KEYWORDS + 1))
    drawn = [weighed[index] for index in random.permutation(len(weighed))[:n].tolist()]
    holding = [each.id for each in chunks if set(drawn) <= {word.lower() for word in WORD.findall(each.text)}]
    return SyntheticQuestion(" ".join(drawn), np.array(sorted(holding)))
