"""Layout of HLP/1: made by `npm run docs:kits` from hil/protocol/layout.ts, not to be edited.

Each frame has its type and its fields in order: name, code of `struct`, count.
"""

VERSION = 0x10
VERSION_MIN = 0x10
LAYOUT_HASH = 0xCBEEEDAA
REJECT_CODES = (
    "none",
    "version",
    "layout",
    "period",
    "limits",
    "baud",
    "tag",
    "busy",
    "timeout",
    "role",
    "nonce",
)
LIMITS = (
    "speed",
    "angularSpeed",
    "acceleration",
    "force",
    "moment",
    "workspace",
)
FRAMES = {
    "HELLO": (
        0x01,
        (
            ("role", "B", 1),
            ("protocolMin", "B", 1),
            ("protocolMax", "B", 1),
            ("reserved", "B", 1),
            ("layoutHash", "I", 1),
            ("nonce", "I", 2),
            ("peerNonce", "I", 2),
            ("device", "s", 32),
            ("firmware", "s", 16),
            ("periodMin", "I", 1),
            ("periodMax", "I", 1),
            ("speed", "f", 1),
            ("angularSpeed", "f", 1),
            ("acceleration", "f", 1),
            ("force", "f", 1),
            ("moment", "f", 1),
            ("workspace", "f", 1),
            ("capabilities", "I", 1),
        ),
    ),
    "CONFIG": (
        0x02,
        (
            ("version", "B", 1),
            ("tare", "B", 1),
            ("gravity", "B", 1),
            ("frame", "B", 1),
            ("period", "I", 1),
            ("ttlFree", "H", 1),
            ("ttlContact", "H", 1),
            ("speed", "f", 1),
            ("angularSpeed", "f", 1),
            ("acceleration", "f", 1),
            ("force", "f", 1),
            ("moment", "f", 1),
            ("workspace", "f", 1),
            ("session", "I", 1),
        ),
    ),
    "CONFIG_ACK": (
        0x03,
        (
            ("version", "B", 1),
            ("reserved", "B", 3),
            ("period", "I", 1),
            ("session", "I", 1),
        ),
    ),
    "SYNC": (
        0x04,
        (
            ("t1", "Q", 1),
            ("t2", "Q", 1),
            ("t3", "Q", 1),
        ),
    ),
    "HEARTBEAT": (
        0x05,
        (
            ("phase", "I", 1),
        ),
    ),
    "BYE": (
        0x06,
        (
            ("reason", "I", 1),
        ),
    ),
    "SETPOINT": (
        0x10,
        (
            ("position", "d", 3),
            ("orientation", "f", 4),
            ("twist", "f", 6),
            ("wrench", "f", 6),
            ("mode", "B", 1),
            ("stopCategory", "B", 1),
            ("ttl", "H", 1),
            ("ackSeq", "I", 1),
        ),
    ),
    "STATE": (
        0x11,
        (
            ("position", "d", 3),
            ("orientation", "f", 4),
            ("twist", "f", 6),
            ("wrench", "f", 6),
            ("linkState", "B", 1),
            ("safety", "B", 1),
            ("quality", "B", 1),
            ("ctlMode", "B", 1),
            ("fault", "I", 1),
            ("echoSeq", "I", 1),
            ("cmdAge", "H", 1),
            ("lostInRow", "H", 1),
            ("ftAge", "H", 1),
            ("success", "H", 1),
            ("tMeas", "Q", 1),
        ),
    ),
    "ARM": (
        0x20,
        (
            ("request", "I", 1),
        ),
    ),
    "ARM_ACK": (
        0x21,
        (
            ("request", "I", 1),
            ("accepted", "I", 1),
        ),
    ),
    "STOP": (
        0x22,
        (
            ("category", "I", 1),
            ("request", "I", 1),
        ),
    ),
    "FAULT": (
        0x23,
        (
            ("code", "I", 1),
            ("detail", "I", 1),
        ),
    ),
    "CLEAR": (
        0x24,
        (
            ("request", "I", 1),
        ),
    ),
    "TARE": (
        0x25,
        (
            ("request", "I", 1),
        ),
    ),
    "REJECT": (
        0x7F,
        (
            ("code", "B", 1),
            ("refused", "B", 1),
            ("protocolMin", "B", 1),
            ("protocolMax", "B", 1),
            ("layoutHash", "I", 1),
            ("value", "f", 1),
            ("limit", "f", 1),
            ("text", "s", 128),
        ),
    ),
}
