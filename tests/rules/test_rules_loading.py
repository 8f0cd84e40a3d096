"""Loading a pack checks everything, and says where, what was expected and how to mend it."""

import re
from pathlib import Path

import msgspec
import pytest

from evidence.errors import UsageError
from rules.loader import load_pack, load_packs, shipped_ids
from rules.pack import Pack, pack_digest
from tests.rules.small_pack import CLAUSE, HEAD, write_pack

GOOD = CLAUSE + 'trigger = { fact = "round_opened" }\nabsence = { fact = "announced", phrase = "x" }\n'

POLICY = """
[[policy]]
id = "mood"
default = "strict"
clauses = ["T.1"]
meaning.en = "How it is meant."
[[policy.value]]
value = "strict"
meaning.en = "Strictly."
[[policy.value]]
value = "mild"
meaning.en = "Mildly."
"""

WITH_POLICY = GOOD.replace('fact = "round_opened"', 'fact = "round_opened", when = { mood = "strict" }')

REQUIREMENT = "[[clause.requirement]]" + GOOD.split("[[clause.requirement]]")[1]
OPENED_2 = GOOD.replace('"round_opened"', '"round_opened", number = 2')
SMOKE = GOOD.replace('fact = "round_opened"', 'fact = "device_irregularity", symptom = "smoke"')

ALTERNATIVE = """
[[clause.alternative]]
id = "{}"
where = {{ {} }}
meaning.en = "One way."
"""


def line_of(text: str, needle: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if needle in line)


def refused(tmp_path: Path, text: str, head: str = HEAD) -> str:
    with pytest.raises(UsageError) as caught:
        load_pack(write_pack(tmp_path / "T", text, head=head))
    message = str(caught.value)
    assert str(tmp_path) in message  # says which file
    return message


def test_the_good_pack_loads(tmp_path: Path) -> None:
    assert [clause.id for clause in load_pack(write_pack(tmp_path / "T", GOOD)).clauses] == ["T.1"]
    load_pack(write_pack(tmp_path / "T", WITH_POLICY, POLICY))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('phrase = "x"', 'phrase = "x", colour = "red"', r"fact 'announced' has no attribute 'colour'.*It has: phrase"),
        ('fact = "announced"', 'fact = "anounced"', r"unknown fact 'anounced'.*announced"),
        ('phrase = "x"', "phrase = 3", r"3 is not a text"),
        ('phrase = "x"', "phrase = true", r"True is not a text"),
        ('phrase = "x"', "phrase = []", r"empty list matches nothing"),
        ('phrase = "x"', "phrase = {}", r"empty condition"),
        ('phrase = "x"', "phrase = { like = \"x\" }", r"unknown comparison 'like'"),
        ('phrase = "x"', "phrase = { above = 3 }", r"'above' needs a number"),
        ('phrase = "x"', 'phrase = "$position"', r"has no text of that name.*It has: none"),
        ('phrase = "x"', 'phrase = "$game.hole_cards"', r"is no text of the game"),
        ('phrase = "x"', 'phrase = "$game.secret"', r"is no text of the game"),
        ('phrase = "x"', 'phrase = "x", when = { mood = "mild" }', r"unknown policy 'mood'"),
        ('phrase = "x"', 'phrase = "x", when = "mild"', r"`when` is not a table"),
        ('fact = "announced", ', "", r"a pattern needs `fact`"),
        ('fact = "round_opened"', 'fact = "round_opened", number = "$number"', r"cannot be used in a trigger"),
        ('trigger = { fact = "round_opened" }', "trigger = []", r"no trigger"),
        ("absence = {", 'overrides = ["T.9"]\nabsence = {', r"'T.9' cannot be overridden"),
        ("absence = {", 'overrides = ["T.1"]\nabsence = {', r"'T.1' cannot be overridden"),
        ("absence = {", 'scope = "forever"\nabsence = {', r"unknown scope 'forever'.*round, scenario"),
        ("absence = {", "existance = 1\nabsence = {", r"'existance' is no entry.*Did you mean 'existence'"),
        ('absence = { fact = "announced", phrase = "x" }', "", r"demands nothing"),
        ("absence = {", "before = {", r"deadline without a response|demands nothing"),
        ("absence = {", 'response = [[]]\nabsence = {', r"empty step"),
        ("absence = {", "until = {", r"demands nothing|without not_succession"),
        ("absence = {", "not_succession = {", r"nothing ends it"),
        ('duty.en = "something is so"', 'duty.en = " "', r"the duty in 'en' is missing"),
        ('duty.en = "something is so"', 'duty = "something is so"', r"duty: 'something is so' stands where a table"),
        ('meaning.en = "Something must be so."', 'meaning.en = ""', r"meaning in 'en' is missing"),
        ('meaning.en = "Something must be so."', 'meaning = { en = "x", es = "x" }', r"language 'es' is not one"),
        ('meaning.en = "Something must be so."', 'meaning = "x"', r"'x' stands where a table should"),
        ('id = "T.1"', 'id = "U.1"', r"'U.1' is not of pack 'T'"),
        ('citation = "1"', 'citation = "1"\nrole = "robot"', r"unknown role 'robot'"),
        ("[[clause.requirement]]", "[[clause.demand]]", r"'demand' is no entry of a clause"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_what_was_expected(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in GOOD
    message = refused(tmp_path, GOOD.replace(old, new, 1))
    assert re.search(expected, message), message


def test_the_message_names_the_line(tmp_path: Path) -> None:
    text = GOOD + GOOD.replace("T.1", "T.2").replace('fact = "announced"', 'fact = "anounced"')
    message = refused(tmp_path, text)
    whole = (tmp_path / "T" / "pack.toml").read_text(encoding="utf-8")
    assert f"pack.toml:{line_of(whole, 'anounced')}:" in message
    assert "clause[1].requirement[0].absence" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD + GOOD, r"clause 'T.1' stands twice"),
        (GOOD + REQUIREMENT, r"requirement 'r' stands twice"),
        (GOOD + ALTERNATIVE.format("one", "number = 1") * 2, r"alternative 'one' stands twice"),
        (GOOD + ALTERNATIVE.format("one", "phrase = \"x\""), r"has no attribute 'phrase'"),
        (OPENED_2 + ALTERNATIVE.format("one", "number = 1"), r"no trigger of the clause can be 'one': unreachable"),
        (SMOKE, r"'smoke' can never be seen here, so this is unreachable.*jam"),
        (WITH_POLICY + POLICY + POLICY, r"policy 'mood' stands twice"),
        (WITH_POLICY + POLICY.replace('"strict"', '"mad"', 1), r"'mad' is no value of it.*strict, mild"),
        (WITH_POLICY + POLICY.replace('"mild"', '"strict"'), r"value 'strict' stands twice"),
        (WITH_POLICY + POLICY[: POLICY.rindex("[[policy.value]]")], r"leaves no choice"),
        (WITH_POLICY.replace('"strict"', '"lazy"') + POLICY, r"policy 'mood' has no value 'lazy'"),
        (GOOD + POLICY, r"T.1 does not depend on 'mood'"),
        (GOOD + POLICY.replace('["T.1"]', "[]"), r"'mood' changes nothing"),
        (WITH_POLICY + POLICY.replace('["T.1"]', "[]"), r"T.1 depends on 'mood' but is not named"),
        (WITH_POLICY + POLICY.replace('["T.1"]', '["T.1", "T.7"]'), r"there is no clause 'T.7'"),
        (WITH_POLICY + POLICY.replace('meaning.en = "Mildly."', 'meaning = {}'), r"meaning in 'en' is missing"),
        ("", r"no clause"),
        ("[[clause", r"not a valid TOML"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        load_pack(write_pack(tmp_path / "T", text))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('languages = ["en"]', 'languages = ["es"]', "English is missing"),
        ('languages = ["en"]', 'languages = ["en", "en"]', "stands twice"),
        ('languages = ["en"]', 'languages = ["en", "es"]', "meaning in 'es' is missing"),
        ("hole_cards = 2", "hole_cards = -2", "below 0"),
        ("hole_cards = 2", "hole_cards = 2.5", "2.5 stands where a whole number should"),
        ("hole_cards = 2", "stacks = 7\nstack_size = 7\nremainder = 5", "are not 52 cards"),
        ("hole_cards = 2", "sleeves = 2", "'sleeves' is no entry of a game"),
        ('version = "1"', "", "the entry 'version' of pack.toml is missing"),
    ],
)
def test_a_head_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert expected in refused(tmp_path, GOOD, head=HEAD.replace(old, new))


def test_a_folder_without_a_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pack.toml: clause pack: a pack has a pack.toml, and there is none"):
        load_pack(tmp_path)


def test_a_pack_may_be_split_over_files(tmp_path: Path) -> None:
    whole = load_pack(write_pack(tmp_path / "whole", WITH_POLICY, POLICY))
    folder = write_pack(tmp_path / "split")
    (folder / "clauses.toml").write_text(WITH_POLICY, encoding="utf-8")
    (folder / "policies.toml").write_text(POLICY, encoding="utf-8")
    assert pack_digest(load_pack(folder)) == pack_digest(whole)
    (folder / "clauses.toml").write_text(WITH_POLICY.replace("round_opened", "round_shut"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"clauses.toml:\d+: .*round_shut"):
        load_pack(folder)


def test_a_head_in_another_file_is_refused(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "T", GOOD)
    (folder / "more.toml").write_text('id = "U"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"more.toml:1: .*'id' is no entry of a further file"):
        load_pack(folder)


def test_the_digest_follows_what_the_pack_says_and_nothing_else(tmp_path: Path) -> None:
    first = pack_digest(load_pack(write_pack(tmp_path / "a", GOOD)))
    moved = pack_digest(load_pack(write_pack(tmp_path / "b", "# a remark\n" + GOOD)))
    other = pack_digest(load_pack(write_pack(tmp_path / "c", GOOD.replace('"x"', '"y"'))))
    assert first == moved != other


def test_packs_are_chosen_by_id_and_added_by_folder(tmp_path: Path) -> None:
    own = write_pack(tmp_path / "T", GOOD)
    assert [pack.id for pack in load_packs()] == shipped_ids()
    assert {"NJ-69F-33.12", "PR-PGP-SHOE", "SD-BJ-28"} <= set(shipped_ids())
    assert [pack.id for pack in load_packs(["PR-PGP-SHOE", "NJ-69F-33.12"])] == ["PR-PGP-SHOE", "NJ-69F-33.12"]
    assert [pack.id for pack in load_packs([], extra=[own])] == ["T"]
    assert [pack.id for pack in load_packs(["T", "PR-PGP-SHOE"], extra=[own])] == ["T", "PR-PGP-SHOE"]
    assert [pack.id for pack in load_packs(extra=[own])] == [*shipped_ids(), "T"]
    with pytest.raises(UsageError, match=r"unknown clause pack 'X'. Known: .*NJ-69F-33.12, .*PR-PGP-SHOE"):
        load_packs(["X"])


def test_one_id_stands_for_one_pack(tmp_path: Path) -> None:
    own = write_pack(tmp_path / "a", GOOD)
    with pytest.raises(UsageError, match=r"pack 'T' is already in"):
        load_packs([], extra=[own, write_pack(tmp_path / "b", GOOD)])


def test_an_own_edition_of_a_shipped_pack_takes_its_place(tmp_path: Path) -> None:
    text = GOOD.replace("T.1", "PR-PGP-SHOE.1")
    own = write_pack(tmp_path / "own", text, head=HEAD.replace('id = "T"', 'id = "PR-PGP-SHOE"'))
    assert [len(pack.clauses) for pack in load_packs(["PR-PGP-SHOE"], extra=[own])] == [1]
    with pytest.raises(UsageError, match="is already in"):
        load_packs(extra=[own])


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        ('["en", "es"]', r"clause\[0\]\.requirement\[0\]\.duty: the duty in 'es' is missing"),
        ('["en"]\ntext_language = "es"', r"'es', the language of the text, is none of the pack's languages"),
        ("[]", r"English is missing"),
    ],
)
def test_a_pack_says_everything_in_each_of_its_languages(tmp_path: Path, languages: str, expected: str) -> None:
    head = HEAD.replace('["en"]', languages)
    with pytest.raises(UsageError, match=expected):
        load_pack(write_pack(tmp_path / "T", GOOD, head=head))


def test_a_pack_that_ships_speaks_every_language_of_the_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pack(tmp_path / "T", GOOD)
    assert load_pack(tmp_path / "T").languages == ("en",)
    monkeypatch.setattr("rules.loader.PACKS", tmp_path)
    with pytest.raises(UsageError, match=r"languages: a pack that ships speaks en, es, it, and es, it is missing"):
        load_pack(tmp_path / "T")


def test_an_entry_that_a_later_version_adds_changes_no_digest(tmp_path: Path) -> None:
    class LaterPack(Pack, frozen=True, kw_only=True):
        novelty: str = ""

    pack = load_pack(write_pack(tmp_path / "T", GOOD))
    fields = msgspec.structs.asdict(pack)
    assert pack_digest(LaterPack(**fields)) == pack_digest(pack)
    assert pack_digest(LaterPack(**fields, novelty="said")) != pack_digest(pack)


def test_a_digest_tells_apart_what_a_pack_says(tmp_path: Path) -> None:
    """A value of the trigger is not the same as a text that looks like it."""
    response = 'response = [{ fact = "player_act", act = "bet", position = "$position" }]\n'
    bound = CLAUSE + 'trigger = { fact = "wager_placed" }\n' + response
    written = bound.replace("$position", "position")
    digests = {pack_digest(load_pack(write_pack(tmp_path / str(n), text))) for n, text in enumerate((bound, written))}
    assert len(digests) == 2
