"""The robot's end of a session: handshake, tags, order of frames, clock answers (docs/protocol.md)."""

import collections
import hmac
import os
import struct
import time

from .frames import TAG_BYTES, decode, encode, make_tag, session_key
from .guard import CONNECTING, OFFLINE, SYNCED, SYNCING
from .layout import FRAMES, LAYOUT_HASH, LIMITS, REJECT_CODES, VERSION, VERSION_MIN

SILENCE_US = 500_000
HEARTBEAT_US = 100_000
BACKOFF_FIRST_US = 250_000
BACKOFF_LAST_US = 8_000_000
BEHIND = 64
MAX_ADVANCE = 4096
NONE = (0, 0)
LIMIT_TOLERANCE = 1 + 1e-6  # limits travel in single precision
CAPABILITIES = {"force_sensor": 1, "tare": 2, "gravity_removed": 4, "arm_needed": 8}
TAGS = 16


def clock_us():
    """Monotonic time of this robot, µs."""
    return time.monotonic_ns() // 1000


def _new_nonce():
    while True:
        nonce = struct.unpack("<2I", os.urandom(8))
        if nonce != NONE:
            return nonce


def _ahead(a, b):
    """By how much a sequence number is ahead of another, with wrap."""
    return (a - b + 0x80000000) % 0x100000000 - 0x80000000


class Window:
    """Sequence numbers of one direction: new, late by at most 64, or seen before."""

    def __init__(self):
        self.newest = None
        self._seen = collections.deque(maxlen=BEHIND)

    def start(self, seq):
        self.newest = seq
        self._seen.clear()
        self._seen.append(seq)

    def is_old(self, seq):
        if self.newest is None:
            return False
        ahead = _ahead(seq, self.newest)
        if ahead > 0:
            return ahead > MAX_ADVANCE
        return ahead <= -BEHIND or seq in self._seen

    def is_new(self, seq):
        return self.newest is None or 0 < _ahead(seq, self.newest) <= MAX_ADVANCE

    def accept(self, seq):
        if self.newest is None or _ahead(seq, self.newest) > 0:
            self.newest = seq
        self._seen.append(seq)


class Session:
    """Give it each frame that came (`receive`) and call `keep` in each cycle."""

    def __init__(self, device, firmware, limits, key, period_range_us, capabilities, log):
        self.phase = OFFLINE
        self.period_us = 0
        self.limits = dict(limits)
        self.setpoint = None  # newest one of this session, with "seq" and "arrived_us"
        self.asked = {"arm": False, "clear": False, "stop": None, "tare": False}
        self.counts = collections.Counter()
        self.seq = struct.unpack("<I", os.urandom(4))[0] & 0x3FFFFFFF
        self._hello = {
            "role": 1,
            "protocolMin": VERSION_MIN,
            "protocolMax": VERSION,
            "layoutHash": LAYOUT_HASH,
            "device": device,
            "firmware": firmware,
            "periodMin": period_range_us[0],
            "periodMax": period_range_us[1],
            "capabilities": capabilities | (TAGS if key else 0),
            **limits,
        }
        self._own_limits = dict(limits)
        self._key = key
        self._log = log
        self._mine = _new_nonce()
        self._theirs = NONE
        self._past = collections.deque(maxlen=16)
        self._window = Window()
        self._keys = None  # of this session: (those of the server, those of the robot)
        self._heard_us = 0
        self._sent_us = 0
        self._next_hello_us = 0
        self._reject_after_us = 0
        self._backoff_us = BACKOFF_FIRST_US

    def connected(self):
        """The line has come up: HELLO goes out at once."""
        self._reset()
        self._next_hello_us = 0
        self._reject_after_us = 0
        self._backoff_us = BACKOFF_FIRST_US

    def keep(self, line, now_us):
        """Time-outs, HELLO and HEARTBEAT: once a cycle."""
        if self.phase != OFFLINE and now_us - self._heard_us > SILENCE_US:
            self._log("the loop is silent: the session is over")
            self._reset()
        if self.phase == OFFLINE:
            if now_us >= self._next_hello_us:
                self._send_hello(line, now_us)
        elif self.phase >= SYNCING and now_us - self._sent_us >= HEARTBEAT_US:
            self.send(line, "HEARTBEAT", now_us, {"phase": self.phase})

    def send(self, line, name, now_us, values):
        """Send one frame."""
        self.seq = (self.seq + 1) & 0xFFFFFFFF
        self._sent_us = now_us
        key = self._keys[1] if self._keys is not None and name != "REJECT" else None
        line.send(encode(name, self.seq, now_us, values, tag_key=key))

    def send_bye(self, line, now_us):
        """End the session in order."""
        if self.phase >= CONNECTING:
            self.send(line, "BYE", now_us, {})
        self._reset()

    def receive(self, line, data, arrived_us, may_arm):
        """Take one frame. `may_arm` says whether an ARM is answered with yes."""
        frame = decode(data)
        if isinstance(frame, str):
            self.counts[frame] += 1
            return
        if frame.name == "HELLO":
            self._take_hello(line, frame, arrived_us)
        elif frame.name == "REJECT":
            self._take_reject(frame, arrived_us)
        elif self._window.is_old(frame.seq):
            self.counts["sequence"] += 1
        elif not self._tag_is_right(frame):
            self.counts["tag"] += 1
        else:
            self._heard_us = arrived_us
            self._take(line, frame, arrived_us, may_arm)

    def _tag_is_right(self, frame):
        if self._keys is None:
            return frame.tag == b""
        right = make_tag(self._keys[0], frame.body)
        return len(frame.tag) == TAG_BYTES and hmac.compare_digest(frame.tag, right)

    def _keys_for(self, server_nonce):
        return tuple(
            session_key(self._key, role, server_nonce, self._mine) for role in ("server", "robot")
        )

    def _take_hello(self, line, frame, now_us):
        values = frame.values
        nonce = values["nonce"]
        knows_us = values["peerNonce"] == self._mine
        known = nonce == self._theirs
        if values["role"] != 0:
            self._reject(line, now_us, "role", "HELLO: both ends have one role")
        elif nonce == NONE:
            self._reject(line, now_us, "nonce", "HELLO nonce 0: any other is allowed")
        elif not known and nonce in self._past:
            self.counts["sequence"] += 1
        elif not values["protocolMin"] <= VERSION or not VERSION_MIN <= values["protocolMax"]:
            self._reject(line, now_us, "version", "HELLO: no version that both ends speak")
        elif values["layoutHash"] != LAYOUT_HASH:
            text = f"layout hash: peer has {values['layoutHash']:#010x}, this end {LAYOUT_HASH:#010x}"
            self._reject(line, now_us, "layout", text)
        elif self._key and not frame.tag and values["peerNonce"] == NONE:
            self._take_challenge(line, frame, now_us, known)
        elif self._key:
            keys = self._keys_for(nonce)
            if not hmac.compare_digest(frame.tag, make_tag(keys[0], frame.body)):
                self._reject(line, now_us, "tag", "HELLO: the tag is missing or wrong")
            elif knows_us:
                self._take_greeting(line, frame, now_us, known, knows_us, keys)
            else:
                self.counts["sequence"] += 1  # over the nonce of another session
        elif frame.tag:
            self._reject(line, now_us, "tag", "HELLO: it is tagged, and this end has no robot key")
        else:
            self._take_greeting(line, frame, now_us, known, knows_us, None)

    def _take_challenge(self, line, frame, now_us, known):
        """A HELLO that proves nothing: the answer proves the key over both nonces."""
        if self.phase >= SYNCING:
            self.counts["tag"] += 1
            return
        if not (known and self.phase == CONNECTING):
            self._adopt(frame, now_us, self._keys_for(frame.values["nonce"]))
        self._send_hello(line, now_us)

    def _take_greeting(self, line, frame, now_us, known, knows_us, keys):
        if known and self.phase != OFFLINE:
            if self._window.is_old(frame.seq):
                return
            is_new = self._window.is_new(frame.seq)
            self._window.accept(frame.seq)
            if is_new and self.phase == SYNCED:
                self._begin_anew()  # a loop that says HELLO has no session
            elif self.phase == CONNECTING and not knows_us:
                self._send_hello(line, now_us)
            return
        if self.phase >= SYNCING:
            self._begin_anew()
            return
        if self.phase != OFFLINE and not knows_us:
            self._mine = _new_nonce()
        self._adopt(frame, now_us, keys)
        if not knows_us:
            self._send_hello(line, now_us)

    def _adopt(self, frame, now_us, keys):
        self._theirs = frame.values["nonce"]
        self._keys = keys
        self._window.start(frame.seq)
        self._heard_us = now_us
        self._clear()
        self.phase = CONNECTING

    def _take_reject(self, frame, now_us):
        if self.phase >= SYNCING:
            return
        code = frame.values["code"]
        name = REJECT_CODES[code] if code < len(REJECT_CODES) else str(code)
        self._log(f"refused by the loop ({name}): {frame.values['text']}")
        self._back_off(now_us)
        self._refused()

    def _take(self, line, frame, now_us, may_arm):
        values = frame.values
        name = frame.name
        if self.phase < (CONNECTING if name == "CONFIG" else SYNCING):
            self.counts["sequence"] += 1
        elif name == "SETPOINT":
            self._take_setpoint(frame, now_us)
        else:
            self._window.accept(frame.seq)
            if name == "CONFIG":
                self._take_config(line, values, now_us)
            elif name == "SYNC":
                times = {"t1": values["t1"], "t2": now_us, "t3": clock_us()}
                self.send(line, "SYNC", times["t3"], times)
            elif name == "ARM":
                self.asked["arm"] = may_arm
                answer = {"request": values["request"], "accepted": 1 if may_arm else 0}
                self.send(line, "ARM_ACK", now_us, answer)
            elif name == "STOP":
                self.asked["arm"] = False
                self.asked["stop"] = min(2, values["category"])
            elif name == "CLEAR":
                self.asked["clear"] = True
            elif name == "TARE":
                self.asked["tare"] = True
            elif name == "BYE":
                self._reset()
                self._next_hello_us = now_us + self._backoff_us

    def _take_setpoint(self, frame, now_us):
        last = self.setpoint
        if last is not None and _ahead(frame.seq, last["seq"]) <= 0:
            self.counts["sequence"] += 1
            return
        self._window.accept(frame.seq)
        values = frame.values
        numbers = values["position"] + values["orientation"] + values["twist"] + values["wrench"]
        length2 = sum(q * q for q in values["orientation"])
        if not all(abs(x) < float("inf") for x in numbers) or not 0.998 < length2 < 1.002:
            self.counts["value"] += 1
            return
        self.phase = SYNCED
        values["seq"] = frame.seq
        values["arrived_us"] = now_us
        self.setpoint = values

    def _take_config(self, line, values, now_us):
        low, high = self._hello["periodMin"], self._hello["periodMax"]
        if not low <= values["period"] <= high:
            text = f"CONFIG period {values['period']} µs: this robot cycles in {low} to {high} µs"
            self._reject(line, now_us, "period", text, "CONFIG", values["period"], high)
            self._refused()
            return
        for name in LIMITS:
            own = self._own_limits[name]
            if not 0 < values[name] <= own * LIMIT_TOLERANCE:
                text = f"CONFIG {name} {values[name]}: this robot allows above 0 to {own}"
                self._reject(line, now_us, "limits", text, "CONFIG", values[name], own)
                self._refused()
                return
        self.limits = {name: values[name] for name in LIMITS}
        self.period_us = values["period"]
        answer = {name: values[name] for name in ("version", "period", "session")}
        self.send(line, "CONFIG_ACK", now_us, answer)
        if self.phase == CONNECTING:
            self.phase = SYNCING
            self._backoff_us = BACKOFF_FIRST_US
            self._reject_after_us = 0

    def _send_hello(self, line, now_us):
        values = {**self._hello, "nonce": self._mine, "peerNonce": self._theirs}
        self.send(line, "HELLO", now_us, values)
        self._next_hello_us = now_us + self._backoff_us

    def _reject(self, line, now_us, code, text, refused="HELLO", value=0, limit=0):
        self._log(f"the loop is refused ({code}): {text}")
        if now_us >= self._reject_after_us:
            values = {
                "code": REJECT_CODES.index(code),
                "refused": FRAMES[refused][0],
                "protocolMin": VERSION_MIN,
                "protocolMax": VERSION,
                "layoutHash": LAYOUT_HASH,
                "value": value,
                "limit": limit,
                "text": text,
            }
            self.send(line, "REJECT", now_us, values)
            self._back_off(now_us)
        if self.phase < SYNCING:
            self._refused()

    def _back_off(self, now_us):
        self._reject_after_us = now_us + self._backoff_us
        self._next_hello_us = now_us + self._backoff_us
        self._backoff_us = min(2 * self._backoff_us, BACKOFF_LAST_US)

    def _refused(self):
        self.phase = OFFLINE
        self._theirs = NONE
        self._keys = None

    def _begin_anew(self):
        self._reset()
        self._next_hello_us = 0

    def _reset(self):
        """Offline; the next session begins with a new nonce."""
        if self.phase >= SYNCING:
            self._past.append(self._theirs)
        self._mine = _new_nonce()
        self._refused()
        self._clear()

    def _clear(self):
        """A new session never begins armed."""
        self.setpoint = None
        self.asked.update(arm=False, clear=False, stop=None, tare=False)
