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
    """A source is missing, empty, or of a format that cannot be told.

    `rejects` are the first documents that were rejected, each with its reason in one line.
    """

    def __init__(self, message: str, rejects: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.rejects = rejects


class NotInKnowledgeBase(WeftError):
    """A title or uri names nothing in this SKB."""


class BadQuestionFile(WeftError):
    """A line of a question file breaks its schema."""


class DiskFull(WeftError):
    """No space is left, or a file may not grow further; what was to be written is as it was."""


class ModelError(WeftError):
    """A language model gave no reply to one conversation; others may get theirs."""


class ModelRefused(ModelError):
    """The service does not take the request: the key, the model's name, the quota or an option is wrong."""


class ModelBusy(ModelError):
    """The service is overloaded, or allows no more requests for a while, and stayed so."""


class ModelUnreachable(ModelError):
    """No whole answer came from the service, however often it was asked."""


class UnusableReply(ModelError):
    """The service answered with what is no reply."""


class TokensSpent(ModelError):
    """The budget of tokens does not allow another request."""
