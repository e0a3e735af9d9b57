"""Decisions of each cycle: whether the robot may move, and what it does when set-points stop.

The rules are those of Berth's emulated robot (docs/emulator.md, Loss rules). Silence of the loop is
safe here, whatever state the loop is in. Time is counted in cycles of the robot.
"""

FOLLOW, COAST, BRAKE, EMERGENCY = "follow", "coast", "brake", "emergency"
IDLE, HOLD, TRACK, CONTACT, STOP = range(5)
OFFLINE, CONNECTING, SYNCING, SYNCED = range(4)
(TTL_EXPIRED, SETPOINTS_LOST, POSE_MISMATCH, FORCE_LIMIT) = (1, 2, 4, 8)
NORMAL, PROTECTIVE, EMERGENCY_STOP = 0, 1, 2

# STATE.linkState
L_OFFLINE, L_CONNECTING, L_SYNCED = 0, 1, 2
L_READY, L_ARMING, L_FREE, L_CONTACT, L_HOLD, L_STOPPING, L_FAULT, L_ESTOP = range(4, 12)

BRIDGED_CYCLES = 1
COAST_MOST_S = 0.005
LOST_MOST = 20
FORCE_SAMPLES = 3
EMERGENCY_HOLD_S = 0.5


class Guard:
    """Give it what came in a cycle; `action` says what to do."""

    def __init__(self):
        self.action = BRAKE
        self.link_state = L_OFFLINE
        self.safety = NORMAL
        self.fault = 0
        self.armed = False
        self.engaged = False
        self._phase = OFFLINE
        self._contact = False
        self._ttl_s = 0.02
        self._silence_s = 0.0
        self._missing = 0
        self._stopping = False
        self._emergency = False
        self._emergency_left_s = 0.0
        self._held = False
        self._force_samples = 0
        self._setpoint_stop = -1

    def may_arm(self, at_rest):
        """Whether an ARM that comes now is answered with yes."""
        return self.link_state in (L_READY, L_ARMING, L_HOLD) and at_rest and self.fault == 0

    def step(self, period_s, phase, asked, setpoint, matches, at_rest, force, force_limit):
        """One cycle. `asked` has "arm", "clear" and "stop" (category or None); `setpoint` is one that came, or None."""
        self._silence_s += period_s
        if phase != self._phase:
            self._change_phase(phase)
        if asked["clear"] and at_rest:
            self.fault = 0
            self._emergency = False
        if asked["stop"] is not None:
            self._stop(asked["stop"])
        self._force_samples = self._force_samples + 1 if force > force_limit else 0
        if self._force_samples >= FORCE_SAMPLES:
            self.trip(FORCE_LIMIT)
        if self._stopping and at_rest:
            self._stopping = False
        blocked = self.fault or self._emergency or self._stopping
        if asked["arm"] and phase == SYNCED and not blocked and at_rest:
            self.armed = True
            self.engaged = False
            self._held = False
        if setpoint is not None:
            self._silence_s = 0.0
            self._apply(setpoint, matches)
        elif self.engaged:
            self._miss(period_s)
        if not self.engaged:
            self.action = EMERGENCY if self._emergency and not at_rest else BRAKE
        self._report(period_s, at_rest)

    def trip(self, fault):
        """Stop for a cause, a bit of STATE.fault; it stays until CLEAR."""
        self.fault |= fault
        self._stop(1)

    def _change_phase(self, phase):
        if phase < SYNCED:
            self._stop(1)
        else:
            self.fault &= ~(TTL_EXPIRED | SETPOINTS_LOST)  # ARM is needed again anyway
        self._phase = phase
        self.armed = False
        self.engaged = False
        self._held = False
        self._setpoint_stop = -1

    def _stop(self, category):
        self.engaged = False
        if category == 2:
            self._held = True
            return
        self.armed = False
        self._held = False
        self._stopping = True
        if category == 0:
            self._emergency = True
            self._emergency_left_s = EMERGENCY_HOLD_S

    def _apply(self, setpoint, matches):
        self._missing = 0
        self._ttl_s = setpoint["ttl"] * 1e-3
        mode = setpoint["mode"]
        stop = setpoint["stopCategory"] if mode == STOP else -1
        again = stop == self._setpoint_stop  # a stop that is repeated must not undo a CLEAR
        self._setpoint_stop = stop
        if stop >= 0:
            if not again:
                self._stop(stop)
        elif mode in (TRACK, CONTACT):
            if not self.armed:
                return
            if not self.engaged and not matches:
                self.trip(POSE_MISMATCH)
                return
            self.engaged = True
            self._held = False
            self._contact = mode == CONTACT
            self.action = FOLLOW
        else:
            if self.engaged and mode == HOLD:
                self._held = True
            self.engaged = False

    def _miss(self, period_s):
        self._missing += 1
        if self._silence_s >= self._ttl_s:
            self.trip(TTL_EXPIRED)
        elif self._missing >= LOST_MOST:
            self.trip(SETPOINTS_LOST)
        elif self._missing <= BRIDGED_CYCLES:
            self.action = COAST
        elif self._contact or self._missing * period_s > COAST_MOST_S:
            self.action = BRAKE
        else:
            self.action = COAST

    def _report(self, period_s, at_rest):
        if self._emergency:
            if at_rest and self._emergency_left_s > 0:
                self._emergency_left_s -= period_s
            self.link_state = L_ESTOP
            self.safety = EMERGENCY_STOP if self._emergency_left_s > 0 else NORMAL
            return
        self.safety = NORMAL if self.fault == 0 else PROTECTIVE
        if self._phase < SYNCED:
            self.link_state = (L_OFFLINE, L_CONNECTING, L_SYNCED)[self._phase]
        elif self._stopping:
            self.link_state = L_STOPPING
        elif self.fault:
            self.link_state = L_FAULT
        elif self.engaged:
            self.link_state = L_CONTACT if self._contact else L_FREE
        elif self._held:
            self.link_state = L_HOLD
        else:
            self.link_state = L_ARMING if self.armed else L_READY
