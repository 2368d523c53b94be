"""Addresses of services: which ones can be asked, and how they are shown without keys and passwords.

>>> shown("https://ada:secret@kb.example/sparql?graph=g&apikey=12345")
'https://kb.example/sparql?graph=g&apikey=***'
"""

from __future__ import annotations

import base64
import os
import re
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus, urlsplit

from weft.errors import UnreadableSource

HIDDEN = "***"
SCHEMES = ("http", "https")
# Characters of an address, and of a line of a message, that are looked at.
LONGEST = 2_000
LONGEST_LINE = 10_000
LETTERS = re.compile(r"[^\W\d_]+")
# The words of a name in camelCase or capitals ("apiKey", "APIKey", "API_KEY").
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
SECRET_WORD = re.compile(
    r"(?:key|token|secret|passphrase|pwd|auth|signature|credentials?|session)$"
    r"|^(?:key|token|secret|auth|signature|credential)(?:id|code|hash|value|data|string)$"
    r"|^auth(?:oriz|oris|entic)ation$|^(?:user|db)?pass$|^(?:pw|sig|jwt|bearer)$|passw|sess(?:ion)?id"
)
SECRET_WHOLE_NAMES = frozenset({"sid", "code", "user", "usr"})
"""Words, and whole names, of query parameters whose values are never kept or shown."""

# Path() makes one slash of two, so an address that was taken for a file has one.
# A scheme matched as a whole would be tried at every letter of a long word.
USERINFO = re.compile(r"(?<=[A-Za-z0-9+.-])(:/{1,3})[^/?#\s]*@")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/+")
QUERY = re.compile(r"(?<=[?#])[^\s#]+")
# A parameter and its value; servers also part them by semicolons.
PAIR = re.compile(r"(^|&)([^=&]+)=([^&]*)")
PAIR_AFTER_SEMICOLON = re.compile(r"(;)([^=;&]+)=([^;&]*)")
UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")
SECRET_VARIABLES = ("OPENAI_API_KEY", "HF_TOKEN")
SHORTEST_SECRET = 4
"""A shorter value is hidden in an address, but not looked for in other text, of which it may be any part."""


def shown(address: str) -> str:
    """Return an address as it may be kept and printed: without user, password, fragment and secret parameters."""
    plain = UNPRINTABLE.sub(lambda found: quote(found[0], errors="replace"), address)
    try:
        well_formed = urlsplit(plain).port != 0 and "//" in plain
    except ValueError:
        well_formed = False
    if not well_formed:
        # A password with a slash in it ends the host for every parser; what stands before the last @ may be one.
        start = SCHEME.match(plain) if "@" in plain else None
        plain = (start[0] if start else "") + plain.rpartition("@")[2]
    return without_secrets(plain.partition("#")[0])


def without_secrets(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return a text in which no address shows its credentials, and none of `secrets` or of the environment's is."""
    values = (os.environ.get(name, "").strip() for name in SECRET_VARIABLES)
    own = tuple(value for value in values if len(value) >= 2 * SHORTEST_SECRET)
    for secret in sorted({*secrets, *own}, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return QUERY.sub(_without_values, USERINFO.sub(r"\1", text))


def line_without_secrets(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return the start of what a service says as one line without control characters and secrets.

    Linear; secrets are removed before the text is cut, so that none is cut in two.
    """
    start = without_secrets(text, secrets)[:LONGEST_LINE]
    return " ".join("".join(each if each.isprintable() else " " for each in start).split())


def _is_secret(name: str) -> bool:
    """Tell whether a query parameter's name, or a word of it, is one of a key, a password or a session."""
    runs = LETTERS.findall(name)
    words = (word.lower() for run in runs for word in (run, *WORD.findall(run)))
    return name.lower() in SECRET_WHOLE_NAMES or any(SECRET_WORD.search(word) for word in words)


def _without_values(query: re.Match[str]) -> str:
    return PAIR_AFTER_SEMICOLON.sub(_without_value, PAIR.sub(_without_value, query[0]))


def _without_value(found: re.Match[str]) -> str:
    mark, name, value = found.groups()
    return f"{mark}{name}={HIDDEN if _is_secret(unquote_plus(name)) else value}"


def secrets_in(address: str) -> tuple[str, ...]:
    """Return the secrets of an address in every spelling in which an answer may echo them."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ()
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    found = [user if not password else "", password]
    found += [value for name, value in parse_qsl(parts.query) if _is_secret(name)]
    spelled = {form for value in found for form in (value, quote(value), quote(value, safe=""), quote_plus(value))}
    raw = (pair.partition("=") for pair in re.split("[&;]", parts.query))
    spelled |= {value for name, _, value in raw if _is_secret(unquote_plus(name))}
    if password:
        spelled.add(base64.b64encode(f"{user}:{password}".encode("utf-8", "surrogatepass")).decode())
    return tuple(sorted(each for each in spelled if len(each) >= SHORTEST_SECRET))


def checked_address(address: str, complaint: str) -> str:
    """Return a web address that can be asked; raise UnreadableSource with the complaint and what is wrong."""
    problem = _problem(address)
    if problem:
        raise UnreadableSource(f"{shown(address)[:200]}: {complaint}; {problem}")
    return address


def _problem(address: str) -> str | None:
    if len(address) > LONGEST:
        return f"longer than {LONGEST:,} characters"
    if UNPRINTABLE.search(address):
        return "it has a blank or a control character in it"
    try:
        parts = urlsplit(address)
        if parts.scheme not in SCHEMES or "://" not in address:
            return "it begins with http:// or https://"
        if not parts.hostname:
            return "it names no host"
        if parts.port == 0:
            return "its port is no number from 1 to 65535"
        parts.hostname.encode("idna")
    except UnicodeError:
        return "its host is no name of one"
    except ValueError as error:
        return without_secrets(str(error), secrets_in(address))
    return None
