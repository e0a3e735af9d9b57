"""The example of the Python kit with one rule of HLP/1 broken: faulty_robot.py RULE ADDRESS.

It shows that the checks of `berth conform` find what they are for.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../clients/python"))
from berth_robot import frames, guard, session  # noqa: E402
from berth_robot.layout import LAYOUT_HASH  # noqa: E402

rule = sys.argv.pop(1)
decode = frames.decode
step = guard.Guard.step


def decode_any_checksum(data):
    body = data[:-4]
    return decode(body + frames.CRC.pack(frames._crc_of(body)))


def decode_any_hash(data):
    frame = decode(data)
    if not isinstance(frame, str) and frame.name == "HELLO":
        frame.values["layoutHash"] = LAYOUT_HASH
    return frame


def step_armed(self, *args):
    self.armed = True
    step(self, *args)


def step_without_stop(self, period_s, phase, asked, *args):
    asked["stop"] = None
    step(self, period_s, phase, asked, *args)


def take_any_order(self, frame, now_us):
    self.setpoint = None
    take_setpoint(self, frame, now_us)


def coast_on(self, period_s):
    self.action = guard.COAST


def take_config_slowly(self, line, values, now_us):
    take_config(self, line, values, now_us)
    self.period_us = 2 * values["period"]


take_config = session.Session._take_config
take_setpoint = session.Session._take_setpoint
if rule == "no-crc":
    session.decode = decode_any_checksum
elif rule == "no-hash":
    session.decode = decode_any_hash
elif rule == "no-arm":
    guard.Guard.step = step_armed
elif rule == "no-ttl":
    guard.Guard._miss = coast_on
elif rule == "no-stop":
    guard.Guard.step = step_without_stop
elif rule == "no-pace":
    session.Session._take_config = take_config_slowly
elif rule == "no-order":
    session.Session._take_setpoint = take_any_order
    session.Window.is_old = lambda self, seq: False
else:
    sys.exit(f"no rule is named {rule}")

import example  # noqa: E402

example.main()
