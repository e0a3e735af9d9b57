"""Frames of HLP/1: bytes to values and back, checksum, COBS and tags (docs/protocol.md)."""

import hashlib
import hmac
import struct

from .layout import FRAMES, LAYOUT_HASH, VERSION

HEADER = struct.Struct("<BBHIQ")
CRC = struct.Struct("<I")
CRC_BYTES = 4
TAG_BYTES = 16
MAX_FRAME = 512
TAGGED = 0x0001
SMALLEST = {"f": 1.1754943508222875e-38, "d": 2.2250738585072014e-308}


def _make_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1
        table.append(value)
    return table


_TABLE = _make_table()


def crc32c(data, start=0):
    """CRC-32C of bytes; `start` is the CRC of those before."""
    register = start ^ 0xFFFFFFFF
    for byte in data:
        register = _TABLE[(register ^ byte) & 255] ^ (register >> 8)
    return register ^ 0xFFFFFFFF


_SEEDED = crc32c(CRC.pack(LAYOUT_HASH))


def _crc_of(body):
    negotiation = body[1] in (FRAMES["HELLO"][0], FRAMES["REJECT"][0])
    return crc32c(body, 0 if negotiation else _SEEDED)


class _Layout:
    """One frame type: how its payload is packed."""

    def __init__(self, name, number, fields):
        self.name = name
        self.number = number
        self.fields = fields
        self.struct = struct.Struct("<" + "".join(f"{n}{code}" for _, code, n in fields))
        self.length = HEADER.size + self.struct.size

    def pack(self, values):
        flat = []
        for name, code, count in self.fields:
            value = values.get(name, b"" if code == "s" else 0)
            if code == "s":
                flat.append(value.encode()[:count] if isinstance(value, str) else value)
                continue
            parts = value if isinstance(value, (tuple, list)) else (value,) * count
            if code in SMALLEST:  # a receiver refuses denormal numbers
                parts = [0.0 if abs(part) < SMALLEST[code] else part for part in parts]
            flat.extend(parts)
        return self.struct.pack(*flat)

    def unpack(self, body):
        flat = self.struct.unpack_from(body, HEADER.size)
        values = {}
        at = 0
        for name, code, count in self.fields:
            if code == "s":
                values[name] = flat[at].split(b"\0")[0].decode("utf-8", "replace")
                at += 1
            elif count == 1:
                values[name] = flat[at]
                at += 1
            else:
                values[name] = flat[at : at + count]
                at += count
        return values


_BY_NAME = {name: _Layout(name, number, fields) for name, (number, fields) in FRAMES.items()}
_BY_NUMBER = {one.number: one for one in _BY_NAME.values()}


class Frame:
    """A frame that was received: its type by name, header, values, and what its tag was computed of."""

    __slots__ = ("name", "flags", "seq", "t_us", "values", "body", "tag")

    def __init__(self, name, header, values, body, tag):
        self.name = name
        _, _, self.flags, self.seq, self.t_us = header
        self.values = values
        self.body = body
        self.tag = tag


def encode(name, seq, t_us, values, flags=0, tag_key=None):
    """Bytes of a frame from header to CRC; tagged when there is a key."""
    layout = _BY_NAME[name]
    if tag_key is not None:
        flags |= TAGGED
    body = HEADER.pack(VERSION, layout.number, flags, seq & 0xFFFFFFFF, t_us) + layout.pack(values)
    if tag_key is not None:
        body += make_tag(tag_key, body)
    return body + CRC.pack(_crc_of(body))


def decode(data):
    """The frame in these bytes, or a string: why they are none."""
    if not HEADER.size + CRC_BYTES <= len(data) <= MAX_FRAME:
        return "length"
    body = data[:-CRC_BYTES]
    if _crc_of(body) != CRC.unpack(data[-CRC_BYTES:])[0]:
        return "crc"
    header = HEADER.unpack_from(body)
    layout = _BY_NUMBER.get(header[1])
    negotiation = layout is not None and layout.name in ("HELLO", "REJECT")
    if not negotiation and header[0] >> 4 != VERSION >> 4:
        return "version"
    if header[2] & 0xFF & ~TAGGED:
        return "flags"
    if layout is None:
        return "version"
    tag = b""
    if header[2] & TAGGED:
        tag = body[-TAG_BYTES:]
        body = body[:-TAG_BYTES]
    if len(body) < layout.length or (len(body) > layout.length and not negotiation):
        return "length"
    return Frame(layout.name, header, layout.unpack(body), body, tag)


def make_tag(key, body):
    """Tag of header and payload under a key of the session."""
    return hmac.new(key, body, hashlib.sha256).digest()[:TAG_BYTES]


def session_key(robot_key, role, server_nonce, robot_nonce):
    """Key of one direction of a session; `role` is "server" or "robot", the end that sends."""
    text = b"\0\0\0\1" + f"HLP/1 {role}".encode() + b"\0"
    text += struct.pack("<4I", *server_nonce, *robot_nonce) + b"\0\0\1\0"
    return hmac.new(robot_key.encode(), text, hashlib.sha256).digest()


def cobs_encode(data):
    """COBS block with its zero, for a serial line."""
    out = bytearray()
    blocks = data.split(b"\0")
    for number, block in enumerate(blocks, 1):
        while len(block) >= 254:
            out += b"\xff" + block[:254]
            block = block[254:]
            if not block and number == len(blocks):
                return bytes(out + b"\0")
        out += bytes((len(block) + 1,)) + block
    return bytes(out + b"\0")


def cobs_decode(block):
    """Frame of a block without its zero; empty when it is broken."""
    out = bytearray()
    at = 0
    while at < len(block):
        code = block[at]
        if at + code > len(block):
            return b""
        out += block[at + 1 : at + code]
        at += code
        if code < 255 and at < len(block):
            out.append(0)
    return bytes(out)
