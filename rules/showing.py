"""A clause, or the head of a pack, as readable text in one language."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from evidence.errors import UsageError
from rules.mistakes import choice
from rules.pack import Alternative, Clause, Condition, Pack, Pattern, Policy, Reference, Requirement, pack_digest

WIDTH = 110
HEADINGS: dict[str, dict[str, str]] = {
    "en": {
        "role": "only where such a device stands: ",
        "alternatives": "Can be triggered in these ways",
        "requirements": "Requires",
        "policies": "Open questions",
        "clauses": "Clauses",
        "see": "Read with it: ",
        "default": "default",
        "trigger": "triggered by", "when": "counts if", "holds": "must itself be", "precedence": "before it",
        "since": "counted since", "response": "then", "before": "no later than", "absence": "never after",
        "not_succession": "not until then", "until": "ends with", "existence": "somewhere", "unless": "excused by",
        "overrides": "goes before", "probed": "tried by", "needs_input": "operator gives",
        "needs_ruling": "floor rules on", "scope": "until the end of",
        "round": "the round", "scenario": "the scenario", "open": "play, should it go on so far",
        "untold": "This pack has no text in this language; English is shown.",
    },
    "es": {
        "role": "solo donde haya un aparato así: ",
        "alternatives": "Puede activarse de estas maneras",
        "requirements": "Exige",
        "policies": "Cuestiones abiertas",
        "clauses": "Cláusulas",
        "see": "Véase también: ",
        "default": "por defecto",
        "trigger": "se activa con", "when": "cuenta si", "holds": "debe ser", "precedence": "antes",
        "since": "contado desde", "response": "después", "before": "a más tardar", "absence": "nunca después",
        "not_succession": "no hasta entonces", "until": "acaba con", "existence": "en algún momento",
        "unless": "se excusa con", "overrides": "va antes que", "probed": "se intenta con",
        "needs_input": "el operador da", "needs_ruling": "decide la sala", "scope": "hasta el final de",
        "round": "la ronda", "scenario": "el ensayo", "open": "el juego, si llega tan lejos",
        "untold": "Este paquete no tiene texto en este idioma; se muestra el inglés.",
    },
    "it": {
        "role": "solo dove c'è un tale apparecchio: ",
        "alternatives": "Può scattare in questi modi",
        "requirements": "Richiede",
        "policies": "Questioni aperte",
        "clauses": "Clausole",
        "see": "Si veda anche: ",
        "default": "predefinito",
        "trigger": "scatta con", "when": "vale se", "holds": "deve essere", "precedence": "prima",
        "since": "contato da", "response": "poi", "before": "non oltre", "absence": "mai dopo",
        "not_succession": "non fino ad allora", "until": "finisce con", "existence": "a un certo punto",
        "unless": "scusato da", "overrides": "precede", "probed": "tentato con", "needs_input": "l'operatore dà",
        "needs_ruling": "decide la sala", "scope": "fino alla fine", "round": "del giro",
        "scenario": "della prova", "open": "del gioco, se arriva a tanto",
        "untold": "Questo pacchetto non ha testo in questa lingua; si mostra l'inglese.",
    },
}  # fmt: skip
SIGNS = {"is": "=", "in": "=", "not": "≠", "at_least": "≥", "at_most": "≤", "above": ">", "below": "<"}
STEPS = ("precedence", "response")
PARTS = ("trigger", "holds", "precedence", "since", "response", "before", "absence", "not_succession", "until",
         "existence", "unless", "probed")  # fmt: skip


def show_clause_text(pack: Pack, clause: Clause, language: str) -> str:
    """All there is to one clause. Raises UsageError for a language without headings."""
    words = headings(language)
    lines = [f"{clause.id}  ({pack.authority}; {clause.citation})"]
    if clause.role:
        lines.append(f"{words['role']}{clause.role}")
    lines += _untold(pack, words, language)
    lines += ["", *_wrapped(_said(clause.meaning, language), "")]
    if clause.see:
        lines.append(f"{words['see']}{', '.join(clause.see)}")
    if clause.alternatives:
        lines += ["", words["alternatives"]]
        lines += _table([(one.id, _alternative(one, language)) for one in clause.alternatives])
    lines += ["", words["requirements"]]
    for requirement in clause.requirements:
        lines += _requirement(requirement, words, language)
    lines += _policies([one for one in pack.policies if one.id in clause.policies], words, language)
    return "\n".join(lines) + "\n"


def show_pack_text(pack: Pack, language: str) -> str:
    """The head of a pack, its open questions and its clauses. Raises UsageError for a language without headings."""
    words = headings(language)
    game = ", ".join(f"{name} {getattr(pack.game, name)}" for name in pack.game.__struct_fields__)
    lines = [
        f"{pack.id} {pack.version}  {pack.title}",
        f"{pack.authority}; {pack.citation}",
        f"{pack.text_date} / {pack.pack_date}; {', '.join(pack.languages)}; {game}",
        f"sha256 {pack_digest(pack)}",
        *_untold(pack, words, language),
        *_wrapped(_said(pack.note, language), ""),
    ]
    if pack.inputs:
        lines += ["", words["needs_input"]]
        lines += _table([(name, _said(meaning, language)) for name, meaning in pack.inputs.items()])
    lines += _policies(pack.policies, words, language)
    lines += ["", words["clauses"], *_table([(one.id, _said(one.meaning, language)) for one in pack.clauses])]
    return "\n".join(lines) + "\n"


def headings(language: str) -> Mapping[str, str]:
    """The headings in a language. Raises UsageError when there are none."""
    if language not in HEADINGS:
        raise UsageError(f"nothing is shown in {language!r}. {choice('Choose one of', HEADINGS, language)}")
    return HEADINGS[language]


def written(pattern: Pattern) -> str:
    """A pattern on one line: `hand_counted: who = player, relation = fewer [short_hand_in_deal = void_hand]`."""
    told = ", ".join(map(_condition, pattern.conditions))
    counts = f" [{_when(pattern.when)}]" if pattern.when else ""
    return f"{pattern.fact}{': ' if told else ''}{told}{counts}"


def _alternative(one: Alternative, language: str) -> str:
    where = ", ".join(map(_condition, one.where))
    counts = f" [{_when(one.when)}]" if one.when else ""
    return f"{_said(one.meaning, language)}  {where}{counts}".rstrip()


def _requirement(one: Requirement, words: Mapping[str, str], language: str) -> Iterator[str]:
    yield f"  {one.id}"
    yield from _wrapped(_said(one.duty, language), "    ")
    told: list[tuple[str, str]] = []
    if one.when:
        told.append((words["when"], _when(one.when)))
    for name in PARTS:
        entries = getattr(one, name)
        if name in STEPS:
            told += [(words[name], " | ".join(map(written, step))) for step in entries]
        elif name == "holds":
            told += [(words[name], ", ".join(map(_condition, entries)))] if entries else []
        else:
            told += [(words[name], written(pattern)) for pattern in entries]
    for name in ("overrides", "needs_input", "needs_ruling"):
        told += [(words[name], ", ".join(getattr(one, name)))] if getattr(one, name) else []
    told.append((words["scope"], words.get(one.scope, one.scope)))
    yield from _table(told, "      ")


def _policies(policies: Sequence[Policy], words: Mapping[str, str], language: str) -> Iterator[str]:
    if policies:
        yield from ("", words["policies"])
    for policy in policies:
        yield f"  {policy.id}"
        yield from _wrapped(_said(policy.meaning, language), "    ")
        values = [
            (f"{one.value} ({words['default']})" if one.value == policy.default else one.value, one.meaning)
            for one in policy.values
        ]
        yield from _table([(value, _said(meaning, language)) for value, meaning in values], "      ")


def _untold(pack: Pack, words: Mapping[str, str], language: str) -> list[str]:
    return [] if language in pack.languages else [words["untold"]]


def _said(texts: Mapping[str, str] | str, language: str) -> str:
    if isinstance(texts, str):
        return texts
    return texts.get(language) or texts.get("en", "")


def _condition(one: Condition) -> str:
    operands = [_operand(operand) for operand in one.operands]
    return f"{one.attribute} {SIGNS[one.operator]} {'|'.join(operands)}"


def _operand(operand: object) -> str:
    if isinstance(operand, Reference):
        return f"${'game.' if operand.of_game else ''}{operand.name}"
    return str(operand).lower() if isinstance(operand, bool) else str(operand) or '""'


def _when(when: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{policy} = {'|'.join(values)}" for policy, values in when.items())


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _table(rows: Sequence[tuple[str, str]], indent: str = "  ") -> Iterator[str]:
    """Two columns; the second is wrapped beside the first."""
    width = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        lead = f"{indent}{name.ljust(width)}  "
        yield from textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead)) or [lead.rstrip()]
