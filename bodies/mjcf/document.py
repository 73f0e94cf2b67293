"""The MJCF document: bodies and sections, to which elements are added."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import partial
from typing import Any

from ..body import GROUND
from ..signals import Signal
from . import drives
from .geometry import Geometry, quaternion_of, text
from .nodes import Node


class Document:
    """An MJCF document with all bodies; elements are added to bodies and sections.

    Attributes:
        notes: sentences on elements that MuJoCo models differently or not at all.
        drives: drives (module ``drives``) that set time-dependent values before every step.
        effort: initial control of every actuator by name, in the order of the actuators.
    """

    def __init__(self, name: str, nodes: list[Node], geometry: Geometry) -> None:
        self.geometry = geometry
        self.root = ET.Element("mujoco", model=name)
        self.notes: list[str] = []
        self.drives: list[Any] = []
        self.effort: dict[str, float] = {}
        self.joint: dict[str, str] = {}
        self._joint_element: dict[str, ET.Element] = {}
        self._sections: dict[str, ET.Element] = {}
        self._springs: dict[str, tuple[float, float]] = {}
        self.surfaces: dict[Any, str] = {}
        self._bodies = {GROUND: ET.Element("worldbody")}
        for node in nodes:
            self._add_body(node)

    def _add_body(self, node: Node) -> None:
        g, at_ground = self.geometry, node.parent == GROUND
        body, parent = node.body, node.parent  # a body, since halves have no children
        position = g.point_in(parent, g.position[body])
        rotation = g.rotation[parent].T @ g.rotation[body]
        quaternion = g.quaternion[body] if at_ground else quaternion_of(rotation)
        element = ET.SubElement(
            self._bodies[node.parent], "body", name=node.name, pos=text(position), quat=text(quaternion)
        )
        own = g.body[body]
        I = node.fraction * own.inertia_array  # noqa: E741
        ET.SubElement(
            element,
            "inertial",
            pos="0 0 0",
            mass=text(node.fraction * own.mass),
            fullinertia=text([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]),
        )
        for d in node.degrees:
            if d.kind == "free":
                ET.SubElement(element, "freejoint", name=d.name)
                continue
            joint = ET.SubElement(
                element, "joint", name=d.name, type=d.kind, pos=text(g.point_in(body, d.point))
            )
            if d.kind != "ball":
                joint.set("axis", text(g.direction_in(body, d.axis)))
            if d.armature:
                joint.set("armature", text(node.armature(d, g)))
            if d.coordinate:
                self.joint[d.coordinate] = d.name
                self._joint_element[d.name] = joint
        self._bodies[node.name] = element

    # adding ---------------------------------------------------------------------------------
    def add(self, section: str, tag: str, **attributes: str) -> ET.Element:
        """Add an element to ``equality``, ``tendon``, ``actuator``, ``contact`` or ``asset``."""
        if section not in self._sections:
            self._sections[section] = ET.Element(section)
        return ET.SubElement(self._sections[section], tag, attributes)

    def add_to(self, body: str, tag: str, **attributes: str) -> ET.Element:
        """Add an element inside a body."""
        return ET.SubElement(self._bodies[body], tag, attributes)

    def site(self, name: str, body: str, point: Any, frame: Any = None) -> str:
        """Add a site at a point; returns its name. ``point``, ``frame``: world axes."""
        g, more = self.geometry, {}
        if frame is not None:
            more["quat"] = text(quaternion_of(g.rotation[body].T @ frame))
        self.add_to(body, "site", name=name, pos=text(g.point_in(body, point)), **more)
        return name

    def equal(self, tag: str, name: str, one: str, two: str, ratio: float, **more: str) -> None:
        """Add the equality ``one = ratio two`` of two joints or tendons, by ``tag``."""
        ends = {f"{tag}1": one, f"{tag}2": two}
        polynomial = text((0.0, ratio, 0.0, 0.0, 0.0))
        self.add("equality", tag, name=name, **ends, **more, polycoef=polynomial)

    def harden(self, solref: str, solimp: str) -> None:
        """Set the constraint parameters ``solref`` and ``solimp`` of all equalities and stops."""
        for element in self._sections.get("equality", ()):
            element.set("solref", solref)
            element.set("solimp", solimp)
        for element in [*self._joint_element.values(), *self._sections.get("tendon", ())]:
            if element.get("range"):
                element.set("solreflimit", solref)
                element.set("solimplimit", solimp)

    def actuator(self, name: str, effort: float = 0.0, **attributes: str) -> None:
        """Add a general actuator of a fixed gain; ``effort``: its initial control."""
        self.add("actuator", "general", name=name, gaintype="fixed", **attributes)
        self.effort[name] = effort

    def start(self, signal: Signal) -> float:
        """Value of a signal at the start."""
        return drives.value(signal, 0.0, self.geometry.model.mechanism.inputs)

    def drive(self, signal: Signal, drive: Any, *given: Any) -> None:
        """Add the drive ``drive(*given, m)`` of a value, unless its signal is a constant number."""
        if not drives.constant(signal):
            self.drives.append(partial(drive, *given))

    def joint_element(self, joint: str) -> ET.Element:
        """XML element of the hinge or slide ``joint``."""
        return self._joint_element[joint]

    def joint_spring(self, joint: str, stiffness: float, rest: float, damping: float) -> None:
        """Add a spring and damper to a hinge or slide, in addition to earlier ones."""
        element = self._joint_element[joint]
        k, moment = self._springs.get(joint, (0.0, 0.0))
        k, moment = k + stiffness, moment + stiffness * rest
        self._springs[joint] = (k, moment)
        if k:
            element.set("stiffness", text(k))
            element.set("springref", text(moment / k))
        total = damping + float(element.get("damping", "0"))
        if total:
            element.set("damping", text(total))

    # writing --------------------------------------------------------------------------------
    def write(self, options: dict[str, str], speeds: Any) -> str:
        """Text of the whole document.

        ``options``: attributes of ``option``; ``speeds``: generalised speeds of the initial state.
        """
        ET.SubElement(self.root, "compiler", angle="radian", autolimits="true", inertiafromgeom="false")
        ET.SubElement(self.root, "option", options)
        sections = self._sections | {"worldbody": self._bodies[GROUND]}
        for name in ("asset", "worldbody", "contact", "tendon", "equality", "actuator"):
            if name in sections:
                self.root.append(sections[name])
        frame = ET.SubElement(
            ET.SubElement(self.root, "keyframe"), "key", name="start", qvel=text(speeds)
        )
        if self.effort:
            frame.set("ctrl", text(self.effort.values()))
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode") + "\n"
