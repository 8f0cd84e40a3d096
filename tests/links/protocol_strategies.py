"""Hypothesis strategies for the messages of the reference protocol."""

from hypothesis import strategies as st

from bench.protocol import messages as m
from bench.protocol.codes import CODES, code_name

u16 = st.integers(0, 0xFFFF)
u32 = st.integers(0, 0xFFFFFFFF)
seqs = st.integers(1, 0xFFFF)
codes = st.one_of(st.sampled_from(sorted(CODES)), st.integers(1, 0xFFFF).map(code_name))
texts = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=32).filter(
    lambda text: text.isprintable() and len(text.encode()) <= 32
)
statuses = st.builds(m.Status, st.sampled_from(m.STATES), st.just("") | codes, u16, u16, u32)
events = st.one_of(
    st.builds(m.Cycle, st.sampled_from(m.CYCLE_KINDS), st.sampled_from(m.PHASES), u16),
    st.builds(m.Dispensed, st.sampled_from(m.UNITS), u16, u16),
    st.builds(m.Fault, codes, st.sampled_from(m.SYMPTOMS), st.booleans()),
    statuses,
)
answers = st.one_of(
    st.builds(m.Opened, u32, u32, u16),
    st.builds(
        m.Identity,
        st.sampled_from(m.ROLES),
        texts,
        texts,
        texts,
        texts,
        st.binary(min_size=32, max_size=32).map(bytes.hex),
        st.integers(0, 255),
    ),
    statuses,
    st.builds(m.Result, st.booleans(), st.just("") | codes),
)
commands = st.sampled_from(sorted(m.COMMAND_ARGS)).flatmap(
    lambda name: st.builds(
        lambda values: m.Command.of(name, **values), st.fixed_dictionaries(dict.fromkeys(m.COMMAND_ARGS[name], u16))
    )
)
requests = st.one_of(
    st.builds(m.Open, u32, st.booleans(), u16, u32), st.just(m.Identify()), st.just(m.AskStatus()), commands
)
