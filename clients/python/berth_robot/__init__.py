"""Robot kit of Berth: a robot controller in Python, standard library only (docs/robot-kit.md)."""

from .guard import BRAKE, COAST, EMERGENCY, FOLLOW
from .motion import advance, brake
from .robot import Command, Robot

__all__ = ["BRAKE", "COAST", "EMERGENCY", "FOLLOW", "Command", "Robot", "advance", "brake"]
