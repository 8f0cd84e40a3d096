"""Facts: devices and how they are used."""

from rules.vocabulary.kinds import FLAG, NUMBER, ROLE, TEXT, FactKind, text

APPROVAL = text(
    "approved", "no_record", "no_identity", "maker", "model", "firmware", "no_location", "no_procedure", "elsewhere"
)

FACTS: dict[str, FactKind] = {
    "device_irregularity": FactKind(
        "A device jammed, stopped or failed to complete its work; claimed by itself, proven, or both.",
        {
            "device": TEXT,
            "role": ROLE,
            "symptom": text("jam", "stop", "incomplete", "count", "empty", "other"),
            "during": text("shuffle", "round", "idle"),
            "basis": text("claimed", "proven", "observed"),
            "silent": FLAG,
            "recovered": FLAG,
        },
    ),
    "device_in_use": FactKind(
        "A device was first put to use. `approved` says whether it stands as the approval record states, `approval` "
        "what is wrong if it does not.",
        {"device": TEXT, "role": ROLE, "approved": FLAG, "approval": APPROVAL},
    ),
    "play_asked": FactKind(
        "Play was asked for the first time, told once for each device that stands ready.",
        {"device": TEXT, "role": ROLE, "approved": FLAG, "approval": APPROVAL},
    ),
    "device_configured": FactKind(
        "A device put to use stated how many cards it is set to dispense in a group.",
        {"device": TEXT, "role": ROLE, "group_size": NUMBER},
    ),
    "device_seen": FactKind("The camera looked for a device.", {"device": TEXT, "role": ROLE, "present": FLAG}),
    "method_used": FactKind(
        "A hand method of shuffling or dealing was ordered, allowed or done, told once for each device of the table.",
        {
            "device": TEXT,
            "role": ROLE,
            "function": text("shuffling", "dealing"),
            "stage": text("requested", "allowed", "ordered", "done"),
            "on_table": FLAG,
        },
    ),
}
