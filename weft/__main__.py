"""The command line as `python -m weft`."""

from __future__ import annotations


def run() -> None:
    """Run the `weft` command."""
    from interfaces.cli import main

    main(prog_name="python -m weft")


if __name__ == "__main__":
    run()
