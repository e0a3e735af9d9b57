"""The example of the Python kit with one rule of HLP/1 broken: faulty_robot.py RULE ADDRESS.

It shows that the checks of `berth conform` find what they are for.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../clients/python"))
from berth_robot import frames, guard, robot, session  # noqa: E402
from berth_robot.layout import LAYOUT_HASH, VERSION  # noqa: E402

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


def decode_any_version(data):
    frame = decode(data)
    if not isinstance(frame, str) and frame.name == "HELLO":
        frame.values.update(protocolMin=VERSION, protocolMax=VERSION)
    return frame


def send_changed(name, change):
    """Sends frames of a name with values that `change` has altered; it returns False for one that is not sent."""

    def send_it(self, line, sent, now_us, values):
        values = dict(values)
        if sent != name or change(self, values) is not False:
            send(self, line, sent, now_us, values)

    session.Session.send = send_it


def change_role(self, values):
    values["role"] = 0


def change_session(self, values):
    values["session"] += 1


def change_t1(self, values):
    values["t1"] += 1


def answer_once(self, values):
    if values["request"] == getattr(self, "answered", None):
        return False
    self.answered = values["request"]
    return True


def tell_contact(self, values):
    if values["linkState"] == guard.L_FREE:
        values["linkState"] = guard.L_CONTACT


def step_armed(self, *args):
    self.armed = True
    step(self, *args)


def without_stop(category):
    def step_without_stop(self, period_s, phase, asked, *args):
        if asked["stop"] == category:
            asked["stop"] = None
        step(self, period_s, phase, asked, *args)

    return step_without_stop


def step_from_anywhere(self, period_s, phase, asked, setpoint, matches, *args):
    step(self, period_s, phase, asked, setpoint, setpoint is not None, *args)


def step_keeping_fault(self, period_s, phase, asked, *args):
    if self.fault & guard.TTL_EXPIRED:
        asked["clear"] = False
    step(self, period_s, phase, asked, *args)


def may_arm_unless_held(self, at_rest):
    return self.link_state != guard.L_HOLD and may_arm(self, at_rest)


def stop_at_once(self, period_s):
    self.trip(guard.SETPOINTS_LOST)


def take_no_greeting(self, line, frame, *args):
    if self.phase < session.SYNCING:
        take_greeting(self, line, frame, *args)


def take_any_order(self, frame, now_us):
    self.setpoint = None
    take_setpoint(self, frame, now_us)


def coast_on(self, period_s):
    self.action = guard.COAST


def take_config_slowly(self, line, values, now_us):
    take_config(self, line, values, now_us)
    self.period_us = 2 * values["period"]


send = session.Session.send
may_arm = guard.Guard.may_arm
take_greeting = session.Session._take_greeting
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
    guard.Guard.step = without_stop(1)
elif rule == "no-stop-0":
    guard.Guard.step = without_stop(0)
elif rule == "no-arm-in-hold":
    guard.Guard.may_arm = may_arm_unless_held
elif rule == "no-version":
    session.decode = decode_any_version
elif rule == "no-role":
    send_changed("HELLO", change_role)
elif rule == "no-session":
    send_changed("CONFIG_ACK", change_session)
elif rule == "no-limits":
    session.LIMIT_TOLERANCE = 1e9
elif rule == "no-clock":
    send_changed("SYNC", change_t1)
elif rule == "no-repeat":
    send_changed("ARM_ACK", answer_once)
elif rule == "no-link-state":
    send_changed("STATE", tell_contact)
elif rule == "no-start":
    guard.Guard.step = step_from_anywhere
elif rule == "no-jump":
    robot.Robot._jumps = lambda self, setpoint: False
elif rule == "no-patience":
    guard.Guard._miss = stop_at_once
elif rule == "no-clear":
    guard.Guard.step = step_keeping_fault
elif rule == "no-silence":
    session.SILENCE_US = 10**12
elif rule == "no-end":
    session.Session._take_greeting = take_no_greeting
elif rule == "no-pace":
    session.Session._take_config = take_config_slowly
elif rule == "no-order":
    session.Session._take_setpoint = take_any_order
    session.Window.is_old = lambda self, seq: False
else:
    sys.exit(f"no rule is named {rule}")

import example  # noqa: E402

example.main()
