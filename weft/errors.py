"""Errors that a user can do something about; the command line prints them as one line."""

from __future__ import annotations


class WeftError(Exception):
    """A mistake in what Weft was given; the message says which value and what to do."""


class NotAKnowledgeBase(WeftError):
    """The file is no SKB, is damaged, or was written by a newer Weft."""


class OldSchema(NotAKnowledgeBase):
    """The file was written by an earlier Weft; a build brings it up."""


class BeingBuilt(WeftError):
    """Another process is writing this SKB."""


class UnreadableSource(WeftError):
    """A source is missing, empty, or of a format that cannot be told."""


class NotInKnowledgeBase(WeftError):
    """A title or uri names nothing in this SKB."""


class BadQuestionFile(WeftError):
    """A line of a question file breaks its schema."""


class DiskFull(WeftError):
    """No space is left, or a file may not grow further; what was to be written is as it was."""
