"""The command that trains a fusion."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from interfaces.commands.train_relations import train_relations
from interfaces.output import Amount, counted, json_option, print_json, say, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.datasets.question_files import Question
    from retriever.fusion.store import Fusion
    from retriever.training.dataset import Corpus
    from retriever.training.practice import Practised
    from weft.skb import Skb

SPLIT = "train"


class Source(NamedTuple):
    """An open SKB, a question file over it, those of its questions that teach, and a label without a path."""

    skb: Skb
    path: Path
    questions: list[Question]
    name: str


def pairs(context: click.Context, parameter: click.Parameter, value: tuple[Path, ...]) -> list[tuple[Path, ...]]:
    """Take arguments two by two, or an SKB alone."""
    if len(value) % 2 and len(value) > 1:
        raise click.BadParameter("of several SKBs each needs its question file: KB.skb Q.jsonl [KB.skb Q.jsonl ...]")
    return [value[start : start + 2] for start in range(0, len(value), 2)]


@click.command(epilog="""\b
Examples:
  weft train kb.skb -o mine.json
  weft train kb.skb questions.jsonl -o fusion.json
  weft train one.skb one.jsonl two.skb two.jsonl --practice 200 -o fusion.json
  weft train graph.skb questions.jsonl --relations -o relations.json
  weft train kb.skb questions.jsonl --features thesis --sampling hard --limit 200 -o thesis.json
  weft search kb.skb "who designed the harbour light?" --fusion fusion.json""")
@click.argument("sources", nargs=-1, required=True, metavar="SKB [QUESTIONS [SKB QUESTIONS]...]", callback=pairs,
                type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The fusion file to write.")
@click.option("--features", default="all", show_default=True, type=click.Choice(["all", "thesis"]),
              help="What the fusion reads: all, or the five features of Giardini (2024).")
@click.option("--missing", type=Amount(0, 1), help="With --features thesis: the score of a chunk that a"
              " signal did not return.  [default: 0.75]")
@click.option("--standardise", type=click.Choice(["local", "global"]), help="With --features thesis: within the"
              " question, or over the training set.  [default: local]")
@click.option("--model", type=click.Choice(["ensemble", "listwise", "mlp", "thesis", "logistic"]),
              help="[default: ensemble, with --features thesis its network]")
@click.option("--sampling", default="random", show_default=True, type=click.Choice(["random", "hard", "mixed", "all"]),
              help="Which negatives --model mlp, logistic and thesis learn from; the others draw them themselves.")
@click.option("--limit", type=click.IntRange(2), help="Learn from so many candidates, half of them positives,"
              " by those models too.")
@click.option("--practice", "n_synthetic", type=click.IntRange(0), help="Synthetic questions about each SKB, made of"
              " its own text.  [default: 0; 300 without a question file]")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--relations", is_flag=True, help="Train which relations questions mean, for autofocus(relations=FILE),"
              " and no fusion.")
@click.option("--all", "every", is_flag=True, help=f"Learn from every split, not from {SPLIT} alone.")
@json_option
def train(
    sources: list[tuple[Path, ...]], output: Path, features: str, missing: float | None, standardise: str | None,
    n_synthetic: int | None, every: bool, relations: bool, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Train a fusion, by which hybrid ranks, on question files over SKBs.

    With --relations train what autofocus plans by, on question files over one SKB.

    Of questions that carry a split, those of the split train are learned from.
    For an SKB without a question file synthetic questions are made of its own text,
    and the fusion that ships learns these beside what it knows.
    Same files, settings and seed: same fusion.
    """
    from retriever.focus.planner.store import KIND as KIND_OF_RELATIONS
    from retriever.fusion.shipped import DEFAULT
    from retriever.fusion.store import KIND, save
    from weft.output_file import real_file
    from weft.overwriting import check_file

    start = time.perf_counter()
    check_file(output, KIND_OF_RELATIONS if relations else KIND, [path for pair in sources for path in pair])
    if len(sources[0]) > 1 and not relations:
        _check_sampling(options, "thesis" if features == "thesis" else DEFAULT)
    own = {key: value for key, value in (("missing", missing), ("standardise", standardise)) if value is not None}
    if own and features != "thesis":
        raise click.UsageError(f"--{next(iter(own))} is for --features thesis")
    if n_synthetic and features == "thesis":
        raise click.UsageError("--practice is for all features; --features thesis learns from given questions alone")
    real_file(output)
    if relations:
        train_relations(sources, output, every=every, as_json=as_json)
        return
    told: dict[str, Any] = {}
    if len(sources[0]) == 1:
        _check_alone(features, every, options)
        fusion, *shares = _practised(sources[0][0], n_synthetic, options)
        told = dict(zip(("before", "after"), shares, strict=True))
    else:
        with ExitStack() as stack:
            opened = [_source(stack, *each, every=every) for each in sources]
            fusion = _thesis(opened, own, options) if features == "thesis" else _all(opened, n_synthetic or 0, options)
    save(output, fusion)
    summary = _summary(fusion, output, time.perf_counter() - start) | told
    print_json(summary) if as_json else _print(summary)


def _check_sampling(options: dict[str, Any], default: str) -> None:
    """Raise UsageError for an option on which candidates to learn from, where a model draws them itself."""
    from retriever.fusion.models import LISTWISE

    model = options["model"] or default
    given = {f"--sampling {options['sampling']}": options["sampling"] != "random",
             f"--limit {options['limit']}": options["limit"] is not None}  # fmt: skip
    for option, is_given in given.items():
        if is_given and model in LISTWISE:
            raise click.UsageError(f"{option}: {model} draws candidates itself; choose --model mlp, logistic or thesis")


def _check_alone(features: str, every: bool, options: dict[str, Any]) -> None:
    """Raise UsageError for an option that says something of question files where there is none."""
    from retriever.fusion.shipped import TRAINED

    given = {"--features": features != "all", "--all": every, "--limit": options["limit"] is not None,
             "--sampling": options["sampling"] != "random",
             f"--model {options['model']}": options["model"] in TRAINED}  # fmt: skip
    for option, is_given in given.items():
        if is_given:
            raise click.UsageError(f"{option} is for question files; give one behind the SKB")


def _practised(path: Path, n_synthetic: int | None, options: dict[str, Any]) -> Practised:
    """Let the fusion that ships practise on an SKB."""
    from retriever.context import Context
    from retriever.fusion.shipped import fusion_named
    from retriever.session import Session
    from retriever.training.dataset import MODELS, synthetic_corpus
    from retriever.training.practice import PRACTICE, practised
    from weft.skb import Skb

    n = PRACTICE if n_synthetic is None else n_synthetic
    with Skb(path) as skb, Session(Context(skb)) as session:
        base = fusion_named(options["model"], session.embedder_name)
        with _bar("practice questions", n) as bar:
            corpus = synthetic_corpus(f"{path.stem} practice", session, n, options["seed"], bar.update)
        with _bar("training", MODELS) as bar:
            return practised(base, corpus, seed=options["seed"], advance=bar.update)


def _all(sources: Sequence[Source], n_synthetic: int, options: dict[str, Any]) -> Fusion:
    """Train on all features, in two passes."""
    from retriever.fusion.shipped import DEFAULT
    from retriever.training.dataset import MODELS, fit

    corpora = _corpora(sources, n_synthetic, options["seed"])
    with _bar("training", MODELS) as bar:
        return fit(corpora, options.pop("model") or DEFAULT, **options, advance=bar.update)


def _thesis(sources: Sequence[Source], own: dict[str, Any], options: dict[str, Any]) -> Fusion:
    """Train on the five features of the thesis; `own` holds what of `missing` and `standardise` is given."""
    from retriever.context import Context
    from retriever.features.thesis import MISSING
    from retriever.fusion.store import file_hash
    from retriever.session import Session
    from retriever.training.thesis import fit_thesis, thesis_corpus_of

    own = {"missing": MISSING} | own
    corpora = []
    with _bar("candidates", sum(len(source.questions) for source in sources)) as bar:
        for skb, path, questions, name in sources:
            session = Session(Context(skb))
            corpus = thesis_corpus_of(name, file_hash(path), session, questions, own["missing"], bar.update)
            _check_taught(bool(corpus.labels), skb, path)
            corpora.append(corpus)
    return fit_thesis(corpora, options.pop("model") or "thesis", **own, **options)


def _source(stack: ExitStack, skb: Path, path: Path, *, every: bool) -> Source:
    """Open an SKB and read its questions, those that teach."""
    from retriever.datasets.question_files import read_questions
    from weft.skb import Skb

    opened = stack.enter_context(Skb(skb))
    questions = read_questions(path)
    chosen = questions if every else [each for each in questions if each.split in (None, SPLIT)]
    if not chosen:
        raise WeftError(f"{path}: no question is of the split {SPLIT}; --all learns from every one")
    if len(chosen) < len(questions):
        asked = counted(len(questions), "question")
        warn(f"{path}: learns from {len(chosen):,} of {asked}, the split {SPLIT}; --all takes all")
    return Source(opened, path, chosen, f"{skb.stem}/{path.stem}")


def _bar(stage: str, total: int) -> Any:
    """Return a bar on stderr, off when that is no terminal."""
    from tqdm import tqdm

    return tqdm(total=total, desc=stage, disable=None, leave=False)


def _corpora(sources: Sequence[Source], n_synthetic: int, seed: int) -> list[Corpus]:
    """Compute the candidates of all questions."""
    corpora = []
    total = sum(len(source.questions) + n_synthetic for source in sources)
    with _bar("candidates", total) as bar:
        for source in sources:
            corpora.extend(_of_source(source, n_synthetic, seed, bar.update))
    return corpora


def _of_source(source: Source, n_synthetic: int, seed: int, advance: Callable[[int], Any]) -> list[Corpus]:
    from retriever.context import Context
    from retriever.fusion.store import file_hash
    from retriever.session import Session
    from retriever.training.dataset import corpus_of, synthetic_corpus

    session = Session(Context(source.skb))
    asked = corpus_of(source.name, file_hash(source.path), session, source.questions, advance)
    _check_taught(bool(asked.judged), source.skb, source.path)
    own = synthetic_corpus(f"{source.name} practice", session, n_synthetic, seed, advance)
    return [asked, *([own] if own.judged else [])]


def _check_taught(any_judged: bool, skb: Skb, path: Path) -> None:
    if not any_judged:
        raise WeftError(f"{path}: no question has gold among what {skb.path} proposes for it")


def _summary(fusion: Fusion, output: Path, seconds: float) -> dict[str, Any]:
    from retriever.fusion.store import file_hash

    head = fusion.head
    return {
        "output": str(output), "model": head.model, "sha256": file_hash(output), "embedders": list(head.embedders),
        "sets": [each._asdict() for each in head.trained_on], "settings": dict(head.settings),
        "columns": list(head.columns), "seconds": round(seconds, 3),
    }  # fmt: skip


def _print(summary: dict[str, Any]) -> None:
    for each in summary["sets"][-1:] if "after" in summary else summary["sets"]:
        say(f"{each['name']}: {counted(each['questions'], 'question')}, {counted(each['candidates'], 'candidate')}, "
            f"{each['positives']:,} of them right")
    say(f"{summary['output']}: {summary['model']} over {len(summary['columns'])} features, "
        f"for {', '.join(summary['embedders'])}, in {summary['seconds']:.1f} s")
    if "after" in summary:
        say(f"first hit right, of practice questions not learned from yet: {summary['before']:.1%} by the fusion that"
            f" ships, {summary['after']:.1%} after practice")


COMMANDS = (train,)
