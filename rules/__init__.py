"""Clause packs (data) and the judge, a pure function of journal, packs and policies."""
