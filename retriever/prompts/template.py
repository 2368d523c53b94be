"""Prompts as templates: fixed words with named gaps, known by their step and by what they say.

>>> Prompt("greet", "Be brief.", "Greet $name.").messages(name="$Ada")[1].content
'Greet $Ada.'
"""

from __future__ import annotations

from hashlib import sha256
from string import Template
from typing import NamedTuple

from weft.chat.base import Message


class Prompt(NamedTuple):
    """What a step asks: instructions, which nothing is put into, and a turn whose `$names` are filled."""

    step: str
    system: str
    user: str

    @property
    def version(self) -> str:
        """What tells the words of this prompt from those of another or an earlier one."""
        return sha256(f"{self.system}\0{self.user}".encode()).hexdigest()[:12]

    def messages(self, **values: str) -> list[Message]:
        """Return the conversation; a value is taken as it is, whatever it looks like. Raise KeyError for a gap left."""
        return [Message("system", self.system), Message("user", Template(self.user).substitute(values))]
