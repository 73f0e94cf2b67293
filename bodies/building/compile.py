"""Compilation of a mechanism to a model: ``compile(mechanism)``."""

from __future__ import annotations

from typing import cast

import numpy as np

from mlcp.checks import shown

from ..appearance import Look
from ..checks import MechanismError, checked
from ..hydraulics.circuit import Circuit
from ..hydraulics.lowering import add_circuit, oil_of
from ..joints import Coupling, Joint, Length
from ..kernels.data import RunData
from ..mechanism import Described, Mechanism
from ..memory.soil import add_soil
from ..model import Model
from ..state import State
from .arrays import Arrays
from .builder import Builder
from .planning import finish_model


@checked
def compile(mechanism: Mechanism | Described, *, close: bool = False) -> Model:
    """Compile a mechanism, or the mechanism of a vehicle with its default controls, to flat arrays.

    The pose in which the bodies are described is projected onto the joints. A joint error above 1e-3 m
    or rad raises :class:`NotClosed`, unless ``close`` is true: then any pose is projected.

    Raises:
        MechanismError: an invalid description.
        NotClosed: joints that do not close; it names the worst joint and its error.
    """
    if not isinstance(mechanism, Mechanism):
        describe = getattr(mechanism, "mechanism", None)
        if not callable(describe):
            raise MechanismError(
                f"compile: mechanism = {shown(mechanism)} must be a bodies.Mechanism or a vehicle"
            )
        mechanism = cast(Mechanism, describe())
    return finish_model(arrays_of(mechanism), close)


def arrays_of(mechanism: Mechanism) -> Model:
    """Model in the pose of the description: the joints are not closed, there is no elimination order."""
    builder = Builder(mechanism)
    for element in mechanism.elements:
        if isinstance(element, Joint):
            builder.add_joint(element)
        elif isinstance(element, Length):
            builder.add_length(element)
    for wheel in mechanism.wheel_order:
        builder.add_wheel(wheel)
    for element in mechanism.elements:
        if isinstance(element, Coupling):
            builder.add_coupling(element)
        elif isinstance(element, Circuit):
            add_circuit(builder, element)
        elif not isinstance(element, Joint | Length | Look):
            builder.add_force(element)
    for contact in mechanism.contacts:
        builder.add_contact(contact)
    return _model(builder)


def _model(builder: Builder) -> Model:
    """Model with all arrays, without an elimination order."""
    arrays = Arrays(builder)
    structure, values = arrays.structure, arrays.values
    add_soil(builder.mechanism, structure.channel_rows, values, arrays.sizes)
    values["oil"] = oil_of(builder, structure)
    made = RunData.made(arrays.sizes, **values)
    return Model(
        mechanism=builder.mechanism,
        floats=made.F,
        ints=made.N,
        body_index={k: v for k, v in builder.body.items() if v < builder.nb},
        coordinate_index=builder.coordinate_names,
        input_index=builder.inputs,
        rows={n: (int(structure.row_offset[k]), r) for k, (n, r, _) in enumerate(builder.groups)},
        channels={
            n: (int(structure.channel_offset[k]), r) for k, (n, r, _) in enumerate(builder.channels)
        },
        structure=structure,
        plan=None,
        initial=State(np.zeros(0), np.zeros(0, int), np.zeros(0, int), np.zeros(0), 0.0, ""),
        joint_order=tuple(j for j, _ in builder.joint_records),
        coupling_order=tuple(c for c, _, _ in builder.couplings),
        force_order=tuple(builder.force_names),
    )
