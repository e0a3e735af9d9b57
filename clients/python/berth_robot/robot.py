"""One robot on one line: the cycle that a controller of your own is written around."""

import collections
import math
import sys
import time

from .guard import COAST, FOLLOW, SYNCED, SYNCING, Guard
from .lines import open_line
from .session import CAPABILITIES, Session, clock_us

DEFAULT_LIMITS = {
    "speed": 0.25,
    "angularSpeed": 1.0,
    "acceleration": 10.0,
    "force": 500.0,
    "moment": 150.0,
    "workspace": 2.0,
}
START_DISTANCE_M = 5e-4
START_ANGLE_RAD = math.radians(0.1)
START_SPEED_MPS = 5e-3
START_ANGULAR_SPEED_RADPS = 5e-2
JUMP_M = 0.01
JUMP_RAD = 0.1
RECONNECT_FIRST_S = 0.25
RECONNECT_LAST_S = 8.0
WINDOW = 100

Command = collections.namedtuple("Command", "action position orientation twist wrench mode tare")


def _length(values):
    return math.sqrt(sum(x * x for x in values))


def _distance(a, b):
    return _length([x - y for x, y in zip(a, b)])


def _angle(p, q):
    dot = abs(sum(a * b for a, b in zip(p, q)))
    return 2 * math.acos(min(1.0, dot / (_length(p) * _length(q))))


class Robot:
    """`report` what is measured, `wait` for the next cycle, move as its command says, and again.

    address: ws://HOST:PORT/robot, wss://…, or the path of a serial port
    limits: by name as in DEFAULT_LIMITS, SI units; the smaller ones of both ends are in `limits`
    capabilities: names of "force_sensor", "tare", "gravity_removed"; ARM is always needed
    """

    def __init__(
        self,
        address,
        *,
        device,
        firmware="1",
        limits=None,
        key="",
        baud=2000000,
        ca=None,
        period_range_s=(0.0005, 0.01),
        capabilities=("force_sensor",),
        log=None,
    ):
        self._log = log or (lambda text: print(text, file=sys.stderr, flush=True))
        self._address, self._baud, self._ca = address, baud, ca
        bits = CAPABILITIES["arm_needed"]
        for name in capabilities:
            bits |= CAPABILITIES[name]
        range_us = tuple(round(1e6 * one) for one in period_range_s)
        own = {**DEFAULT_LIMITS, **(limits or {})}
        self.session = Session(device, firmware, own, key, range_us, bits, self._log)
        self.guard = Guard()
        self._force_limit = own["force"]
        self._line = None
        self._retry_s = RECONNECT_FIRST_S
        self._retry_at_us = 0
        self._release_us = clock_us()
        self._period_us = range_us[1]
        self._applied = None
        self._reference = None
        self._measured = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0,) * 6, (0.0,) * 6, 0, 0)
        self._lost_in_row = 0
        self._window = collections.deque([0] * WINDOW, maxlen=WINDOW)

    @property
    def period_s(self):
        """Cycle that the loop asks for; the longest one before it has."""
        return self._period_us * 1e-6

    @property
    def limits(self):
        """Limits in force."""
        return self.session.limits

    def report(self, position, orientation, twist, wrench=(0.0,) * 6, measured_us=None, force_age_us=0):
        """What the tool does: m, unit quaternion (x, y, z, w), m/s and rad/s, N and N m on the tool, base frame."""
        at_us = clock_us() if measured_us is None else measured_us
        self._measured = (position, orientation, twist, wrench, at_us, force_age_us)

    def fault(self, bits):
        """Stop for a cause of the arm's own: bits of STATE.fault that stop."""
        if bits & ~self.guard.fault:
            self.guard.trip(bits)

    def wait(self):
        """Send STATE, wait for the next cycle and say what to do in it."""
        self._send_state()
        self._release_us += self._period_us
        now_us = clock_us()
        if now_us > self._release_us:  # late: cycles slip, none is made up for
            self._release_us = now_us
        before = self.session.setpoint
        while True:
            left_s = (self._release_us - clock_us()) * 1e-6
            if not self._receive(left_s) and left_s <= 0:
                break
        setpoint = self.session.setpoint
        return self._decide(setpoint if setpoint is not before else None)

    def close(self):
        """End the session and the connection."""
        if self._line is not None:
            try:
                self.session.send_bye(self._line, clock_us())
            except OSError:
                pass
            self._line.close()
            self._line = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _receive(self, left_s):
        """Take what comes until the time is over. Returns whether something came."""
        if self._line is None and not self._connect():
            time.sleep(max(0.0, left_s))
            return False
        try:
            if not self._line.wait(left_s):
                return False
            arrived_us = clock_us()
            frames = self._line.receive()
            for frame in frames:
                may_arm = self.guard.may_arm(self._at_rest())
                self.session.receive(self._line, frame, arrived_us, may_arm)
            if self.session.period_us:
                self._period_us = self.session.period_us
            return bool(frames)
        except OSError as error:
            self._lost(error)
            return False

    def _connect(self):
        if clock_us() < self._retry_at_us:
            return False
        try:
            self._line = open_line(self._address, self._baud, self._ca)
        except OSError as error:
            self._lost(error)
            return False
        self.session.connected()
        self._release_us = clock_us()
        return True

    def _lost(self, error):
        self._log(f"{self._address}: {error}; again in {self._retry_s} s")
        if self._line is not None:
            self._line.close()
            self._line = None
        self._retry_at_us = clock_us() + round(1e6 * self._retry_s)
        self._retry_s = min(2 * self._retry_s, RECONNECT_LAST_S)
        self.session.connected()  # nothing of the session is valid any more

    def _at_rest(self):
        return not any(self._measured[2])

    def _decide(self, setpoint):
        session, guard = self.session, self.guard
        position, orientation, _, wrench, _, _ = self._measured
        if session.phase == SYNCED:
            self._retry_s = RECONNECT_FIRST_S
        if session.phase < SYNCING:
            self._applied = None
        if setpoint is not None and guard.engaged and self._jumps(setpoint):
            session.counts["value"] += 1
            setpoint = None
        came = setpoint is not None
        self._lost_in_row = 0 if came else min(65535, self._lost_in_row + 1)
        self._window.append(1 if came else 0)
        if came:
            self._applied = setpoint
        matches = came and (
            _distance(setpoint["position"], position) <= START_DISTANCE_M
            and _angle(setpoint["orientation"], orientation) <= START_ANGLE_RAD
            and _length(setpoint["twist"][:3]) <= START_SPEED_MPS
            and _length(setpoint["twist"][3:]) <= START_ANGULAR_SPEED_RADPS
        )
        asked = dict(session.asked)
        session.asked.update(arm=False, clear=False, stop=None, tare=False)
        known = guard.fault
        guard.step(
            self.period_s,
            session.phase,
            asked,
            setpoint,
            matches,
            self._at_rest(),
            _length(wrench[:3]),
            self._force_limit,
        )
        self._tell_faults(guard.fault & ~known)
        if guard.action == FOLLOW and came:
            self._reference = setpoint
        last = self._applied
        if last is None:
            return Command(guard.action, position, orientation, (0.0,) * 6, (0.0,) * 6, 0, False)
        tare = asked["tare"] and self._at_rest() and not guard.engaged
        action = COAST if guard.action == FOLLOW and not came else guard.action
        return Command(
            action,
            last["position"],
            last["orientation"],
            last["twist"],
            last["wrench"],
            last["mode"],
            tare,
        )

    def _jumps(self, setpoint):
        last = self._reference
        return (
            _distance(setpoint["position"], last["position"]) > JUMP_M
            or _angle(setpoint["orientation"], last["orientation"]) > JUMP_RAD
        )

    def _tell_faults(self, bits):
        if self._line is None or self.session.phase < SYNCING:
            return
        try:
            for code in range(32):
                if bits >> code & 1:
                    values = {"code": code, "detail": 0}
                    self.session.send(self._line, "FAULT", clock_us(), values)
        except OSError as error:
            self._lost(error)

    def _send_state(self):
        session, guard = self.session, self.guard
        if self._line is None:
            return
        now_us = clock_us()
        position, orientation, twist, wrench, at_us, force_age_us = self._measured
        applied = self._applied
        age_us = 0 if applied is None else now_us - applied["arrived_us"]
        success = sum(self._window)
        try:
            session.keep(self._line, now_us)
            if session.phase < SYNCING:
                return
            values = {
                "position": position,
                "orientation": orientation,
                "twist": twist,
                "wrench": wrench,
                "linkState": guard.link_state,
                "safety": guard.safety,
                "quality": self._quality(success),
                "ctlMode": 0 if applied is None else applied["mode"],
                "fault": guard.fault,
                "echoSeq": 0 if applied is None else applied["seq"],
                "cmdAge": min(65535, age_us),
                "lostInRow": self._lost_in_row,
                "ftAge": min(65535, force_age_us),
                "success": 10 * success,
                "tMeas": at_us,
            }
            session.send(self._line, "STATE", now_us, values)
        except OSError as error:
            self._lost(error)

    def _quality(self, success):
        run = self._lost_in_row
        if success >= 99.5 and run <= 1:
            return 3
        if success >= 98 and run <= 3:
            return 2
        return 1 if success >= 90 else 0
