"""Frames of a test through the Python kit: a JSON object on standard input, one on standard output.

Input: frames (hex by name), values (by name: what to encode), key and nonces of the tagged one, blocks for COBS.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../clients/python"))
from berth_robot.frames import (  # noqa: E402
    cobs_decode,
    cobs_encode,
    crc32c,
    decode,
    encode,
    make_tag,
    session_key,
)

asked = json.load(sys.stdin)


def received(text):
    frame = decode(bytes.fromhex(text))
    if isinstance(frame, str):
        return {"refused": frame}
    keys = asked["keys"]
    key = session_key(keys["key"], keys["role"], keys["server"], keys["robot"])
    tag_is_right = frame.tag == make_tag(key, frame.body) if frame.tag else None
    return {
        "name": frame.name,
        "seq": frame.seq,
        "t_us": frame.t_us,
        "values": frame.values,
        "tag": tag_is_right,
    }


def sent(name):
    row = asked["values"][name]
    key = None
    if row["tagged"]:
        keys = asked["keys"]
        key = session_key(keys["key"], keys["role"], keys["server"], keys["robot"])
    return encode(row["type"], row["seq"], row["t_us"], row["values"], tag_key=key).hex()


blocks = [bytes.fromhex(text) for text in asked["blocks"]]
encoded = [cobs_encode(block) for block in blocks]
json.dump(
    {
        "check": crc32c(b"123456789"),
        "decoded": {name: received(text) for name, text in asked["frames"].items()},
        "encoded": {name: sent(name) for name in asked["values"]},
        "cobs": [block.hex() for block in encoded],
        "back": [cobs_decode(block[:-1]).hex() for block in encoded],
    },
    sys.stdout,
)
