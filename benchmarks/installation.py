"""What an installation of Weft brings, with its size: `python benchmarks/installation.py`, run in that environment.

Prints a Markdown table. Each dependency counts with the distributions that no
other dependency brings; those that several bring stand in the last line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement


def needed(dist: Distribution) -> Iterator[Distribution]:
    """Yield the distributions that one requires here, without its extras."""
    for line in dist.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            try:
                yield distribution(requirement.name)
            except PackageNotFoundError:
                continue


def closure(dist: Distribution) -> dict[str, Distribution]:
    """Return a distribution and all that it brings, by name."""
    found: dict[str, Distribution] = {}
    waiting = [dist]
    while waiting:
        if (each := waiting.pop()).name not in found:
            found[each.name] = each
            waiting.extend(needed(each))
    return found


def megabytes(dist: Distribution) -> float:
    """Return the size of the files of a distribution, byte code included."""
    paths = [dist.locate_file(file) for file in dist.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6  # type: ignore[attr-defined]


def main() -> None:
    """Print the table."""
    weft = distribution("weft")
    brought = {each.name: closure(each) for each in needed(weft)}
    by_how_many = Counter(name for group in brought.values() for name in group)
    sizes = {name: megabytes(dist) for group in brought.values() for name, dist in group.items()}
    own = {
        name: [other for other in group if other == name or (by_how_many[other] == 1 and other not in brought)]
        for name, group in brought.items()
    }
    print("| package | MB | with what only it brings |\n|---|---|---|")
    print(f"| weft {weft.version} | {megabytes(weft):.0f} | |")
    for name, group in sorted(own.items(), key=lambda row: -sum(map(sizes.__getitem__, row[1]))):
        others = sorted((other for other in group if other != name), key=sizes.__getitem__, reverse=True)
        print(f"| {name} | {sum(sizes[each] for each in group):.1f} | {', '.join(others)} |")
    shared = sorted(set(sizes) - {each for group in own.values() for each in group}, key=sizes.__getitem__)[::-1]
    print(f"| brought by several | {sum(sizes[name] for name in shared):.1f} | {', '.join(shared)} |")
    print(f"| in all | {sum(sizes.values()) + megabytes(weft):.0f} | {len(sizes) + 1} distributions |")


if __name__ == "__main__":
    main()
