"""Download the newest source distribution of a package, as pip finds it, into the current folder.

    python benchmarks/source_distribution.py PACKAGE

`pip download` asks a source distribution for its metadata, and so runs its
build. Here only pip's finder and its session are used: nothing of the package
is run, and the index, proxies and certificates are those that pip is set to.
They are no public interface of pip; this is a script of its own, so that what
they say or change stays in its process.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Any

# This folder has modules of the standard library's names.
sys.path[0] = str(Path(__file__).parents[1])


def download(package: str, folder: Path) -> Path:
    """Write the newest source distribution into `folder`; raise ValueError where there is none or it is not whole."""
    from pip._internal.commands import create_command

    command: Any = create_command("download")
    with command.main_context():
        options, _ = command.parse_args(["--no-binary", ":all:", package])
        session = command.get_default_session(options)
        best = command._build_package_finder(options, session).find_best_candidate(package).best_candidate
        if best is None or best.link.is_wheel:
            raise ValueError(f"{package}: no source distribution")
        response = session.get(best.link.url_without_fragment, headers={"Accept-Encoding": "identity"})
        response.raise_for_status()
    if best.link.hash_name and hashlib.new(best.link.hash_name, response.content).hexdigest() != best.link.hash:
        raise ValueError(f"{package}: what came is not what the index announced")
    path = folder / str(best.link.filename)
    path.write_bytes(response.content)
    return path


def main() -> int:
    """Download one package."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package")
    try:
        download(parser.parse_args().package, Path())
    except (ImportError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
