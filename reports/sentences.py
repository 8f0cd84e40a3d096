"""One plain sentence for each event, as it stands in steps, transcripts and the timeline.

The sentences are put together from raw text; `sentence` is the one door out and makes the whole of it safe to show.
"""

from evidence import events as e
from reports.text import plural, visible

_LIMIT = 500


def sentence(event: e.AnyEvent) -> str:
    """What an event says, in words, made visible and bounded. Never empty."""
    told = _of_device(event) or _of_observer(event) or _of_bench(event) or _of_table(event) or _of_run(event)
    return visible(told or type(event).__name__, _LIMIT)


def _of_device(event: e.AnyEvent) -> str:
    match event:
        case e.DeviceIdentity():
            made = f"{event.maker} {event.model}, serial {event.serial}"
            return f"{event.device} is {made}, firmware {event.firmware}"
        case e.DeviceStatus():
            code = f", code {event.code}" if event.code else ""
            return f"{event.device} claims: {event.state}{code}, {plural(event.cards_inside, 'card')} inside"
        case e.DeviceCycle():
            count = f", {plural(event.count, 'card')}" if event.count else ""
            return f"{event.device} claims: {event.kind} {event.phase}{count}"
        case e.DeviceDispensed():
            return f"{event.device} claims: {event.unit} {event.index} dispensed, {plural(event.count, 'card')}"
        case e.DeviceFault():
            cleared = ", which it cleared by itself" if event.recovered else ""
            return f"{event.device} claims a fault: {event.symptom}, code {event.code}{cleared}"
        case e.DeviceCommanded():
            args = "".join(f" {name}={value}" for name, value in event.args.items())
            return f"{event.device} is told: {event.command}{args}"
        case e.DeviceAnswered():
            answer = "accepts" if event.accepted else "refuses"
            code = f", code {event.code}" if event.code else ""
            return f"{event.device} {answer}: {event.command}{code}"
        case e.LinkBytes():
            return f"{event.link} {event.direction} {event.data}"
        case e.LinkFault():
            return f"{event.link}: {event.kind}{_more(event.detail)}"
    return ""


def _of_observer(event: e.AnyEvent) -> str:
    match event:
        case e.CameraHealth():
            return f"camera: {event.state}{_more(event.detail)}"
        case e.CardsSeen():
            return f"camera sees at {event.place}: {_cards(event)}"
        case e.DiceSeen():
            total = "total not read" if event.total is None else f"total {event.total}"
            return f"camera sees dice: {event.flat} flat, {event.leaning} leaning, {event.outside} outside, {total}"
        case e.DeviceSeen():
            where = {True: "is on the table", False: "is not on the table", None: "could not be made out"}[
                event.present
            ]
            return f"camera sees: {event.device} {where}"
        case e.ButtonSeen():
            return f"camera sees the button at {event.position or 'no place it could make out'}"
        case e.LineSeen():
            return f"line {event.line} goes {'high' if event.level else 'low'}"
        case e.ReadingTaken():
            return f"{event.channel} reads {event.value:g} {event.unit}"
    return ""


def _cards(seen: e.CardsSeen) -> str:
    count = "cards it could not count" if seen.count is None else plural(seen.count, "card")
    told = [f"{count}{', stacked' if seen.stacked else ''}"]
    if seen.face_up:
        told.append("face up: " + " ".join("?" if label is None else label for label in seen.face_up[:60]))
    if seen.face_down:
        told.append(f"{seen.face_down} face down")
    return "; ".join(told) + f" (certainty {seen.certainty:.2f})"


def _of_bench(event: e.AnyEvent) -> str:
    match event:
        case e.FaultArmed():
            params = "".join(f" {name}={value}" for name, value in event.params.items())
            return f"fault {event.fault} armed on {event.target}{params}"
        case e.FaultProven():
            by = ", ".join(f"#{seq}" for seq in event.by[:20])
            named = f"fault {event.fault} on {event.target} proven ({event.symptom})"
            return f"{named} by {event.means}: {by}"
        case e.FaultUnproven():
            return f"fault {event.fault} on {event.target} not proven{_more(event.reason)}"
    return ""


def _of_table(event: e.AnyEvent) -> str:
    match event:
        case e.SessionOpened():
            players = plural(len(event.seated), "player")
            return f"table opened for {event.game}: {event.cards_in_deck} cards, {players}"
        case e.WagerPlaced():
            return f"{event.position} wagers {event.amount_cents / 100:.2f} ({event.wager})"
        case e.OperatorInput():
            came = f"from {event.file}" if event.file else "in words"
            return f"operator input {event.name} {came}: {event.size_bytes} bytes, SHA-256 {event.sha256[:16]}"
        case e.ApprovalRecord():
            return f"approval on record: {event.maker} {event.model} at {event.location}"
        case e.DealerDid():
            return (
                f"dealer: {_act(event.act, event.position, event.place, event.device, event.phrase, event.directive)}"
            )
        case e.PlayerDid():
            return f"player at {event.position}: {event.act}"
        case e.TableRequested():
            asked = "tries the forbidden step" if event.probe else "asks for"
            return f"dealer {asked} {event.request}{_more(event.device)}"
        case e.TableDone():
            return f"directive {event.directive} {event.verb}: {event.outcome}{_more(event.detail)}"
        case e.FloorRuled():
            about = f" for {event.position}" if event.position else ""
            return f"{event.by} rules on {event.question}{about}: {event.ruling}"
        case e.Directive():
            return _directive(event)
        case e.SoftwareAcknowledged():
            return f"table software has reacted to {event.message} with {plural(event.directives, 'directive')}"
        case e.SoftwareIdentity():
            return f"table software is {event.maker} {event.product} {event.version}"
    return ""


def _act(act: str, *details: str) -> str:
    return " ".join([act.replace("_", " "), *(detail for detail in details if detail)])


def _directive(order: e.Directive) -> str:
    told = [f"table software orders {order.verb}"]
    fields = "position place to device method unit face scope wager phrase request question".split()
    told += [f"{name}={getattr(order, name)}" for name in fields if getattr(order, name)]
    if order.count:
        told.append(f"count={order.count}")
    because = f" because of {order.cause}" if order.cause else ""
    return " ".join(told) + f" (id {order.id}{because}){_more(order.reason)}"


def _of_run(event: e.AnyEvent) -> str:
    match event:
        case e.RunStarted():
            return f"run of plan {event.plan} on rig {event.rig} begins, seed {event.seed}"
        case e.RunFinished():
            return f"run {event.outcome}{_more(event.detail)}"
        case e.ScenarioStarted():
            return f"scenario begins: {event.title} (attempt {event.attempt})"
        case e.ScenarioFinished():
            return f"scenario ends: {event.status}{_more(event.detail)}"
        case e.JournalRepaired():
            return f"journal repaired: a torn last line of {event.bytes_cut} bytes was cut off"
    return ""


def _more(detail: str) -> str:
    return f": {detail}" if detail else ""
