"""Corpus runs: parse files of any size into sharded, compressed output. A run can be killed at any time and resumed."""

from starccg.corpus.job import CorpusError, Job, Settings, Summary

__all__ = ["CorpusError", "Job", "Settings", "Summary"]
