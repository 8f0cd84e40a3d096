"""One plain sentence for each event, as it stands in steps, transcripts and the timeline.

How each kind of event is told stands in `words/<language>/events.toml` under its tag. A kind that has no entry there is
told by its fields. The sentences are put together from raw text; `sentence` is the one door out and makes the whole of
it safe to show.
"""

import msgspec

from evidence import events as e
from reports.text import visible
from reports.wordbook import wordbook

LIMIT = 500
_UNTOLD = "{*}"


def sentence(event: e.AnyEvent, lang: str = "en") -> str:
    """What an event says in a language, made visible and bounded. Never empty."""
    words, tag = wordbook(lang), str(event.__struct_config__.tag)
    values: dict[str, object] = dict(msgspec.structs.asdict(event))
    match event:
        case e.CardsSeen():
            values["counted"] = (
                words.say("event", "uncounted") if event.count is None else words.count(event.count, "card")
            )
        case e.SessionOpened():
            values["players"] = len(event.seated)
        case e.FaultProven():
            values["means"] = proof_told(event, lang)
        case e.FaultUnproven():
            values["reason"] = proof_told(event, lang)
    template = words.section("event").get(tag, f"{tag}{_UNTOLD}")
    return visible(words.fill(template, values), LIMIT)


def proof_told(event: e.FaultProven | e.FaultUnproven, lang: str) -> str:
    """What shows that a fault happened, or why nothing does; as it was recorded where the language has no words for it.

    Raw text: who shows it makes it safe to show.
    """
    words = wordbook(lang)
    template = words.section("proof").get(event.wording)
    if template is None:
        return event.means if isinstance(event, e.FaultProven) else event.reason
    return words.fill(str(template), event.values)
