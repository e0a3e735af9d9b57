"""Lines to the loop: a WebSocket by the standard library, and a POSIX serial port."""

import base64
import hashlib
import os
import select
import socket
import ssl
import struct
from urllib.parse import urlsplit

from .frames import MAX_FRAME, cobs_decode, cobs_encode

MOST_WAITING = 65536
CONNECT_S = 10.0
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def open_line(address, baud=2000000, ca=None):
    """A WebSocket for ws:// and wss://, else the serial port of that path. Raises OSError."""
    if address.startswith(("ws://", "wss://")):
        return WebSocketLine(address, ca)
    return SerialLine(address, baud)


class _Line:
    """What both lines do alike: waiting, and sending what the line takes at once."""

    def __init__(self):
        self._waiting = bytearray()

    def wait(self, timeout_s):
        """Whether there is something to read, after a time at most. Raises OSError when the line is gone."""
        if self._waiting:
            self._flush()
        return bool(select.select([self.fileno()], [], [], max(0.0, timeout_s))[0])

    def _send(self, data):
        if len(self._waiting) > MOST_WAITING:
            return  # old frames are useless to a peer that does not read
        self._waiting += data
        self._flush()

    def _flush(self):
        try:
            while self._waiting:
                del self._waiting[: self._write(self._waiting)]
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass


class WebSocketLine(_Line):
    """Client end of one WebSocket (RFC 6455), sub-protocol berth.robot.v1."""

    def __init__(self, url, ca=None):
        super().__init__()
        parts = urlsplit(url)
        secure = parts.scheme == "wss"
        port = parts.port or (443 if secure else 80)
        self._socket = socket.create_connection((parts.hostname, port), CONNECT_S)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if secure:
                context = ssl.create_default_context(cafile=ca)
                self._socket = context.wrap_socket(self._socket, server_hostname=parts.hostname)
            self._buffer = bytearray(self._upgrade(parts, port))
        except BaseException:
            self._socket.close()
            raise
        self._socket.setblocking(False)

    def _upgrade(self, parts, port):
        key = base64.b64encode(os.urandom(16))
        request = (
            f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {parts.hostname}:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Protocol: berth.robot.v1\r\n\r\n"
        )
        self._socket.sendall(request.encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = self._socket.recv(4096)
            if not part or len(answer) > 16384:
                raise ConnectionError("the connection ended before the upgrade")
            answer += part
        head, rest = answer.split(b"\r\n\r\n", 1)
        status = head.split(b"\r\n")[0].decode("latin-1")
        if " 101" not in status:
            raise ConnectionError(f"{status}: {rest.decode('utf-8', 'replace').strip()}")
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        if accept not in head:
            raise ConnectionError("the answer to the upgrade is not that of a WebSocket")
        return rest

    def fileno(self):
        return self._socket.fileno()

    def wait(self, timeout_s):
        pending = getattr(self._socket, "pending", None)
        if self._buffer or (pending is not None and pending() > 0):
            timeout_s = 0
            super().wait(timeout_s)
            return True
        return super().wait(timeout_s)

    def receive(self):
        """Frames that have come. Raises OSError when the connection has ended."""
        try:
            while True:
                data = self._socket.recv(65536)
                if not data:
                    raise ConnectionError("closed by the loop")
                self._buffer += data
                if len(data) < 65536 and getattr(self._socket, "pending", int)() == 0:
                    break
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        frames = []
        while True:
            message = self._next()
            if message is None:
                return frames
            opcode, data = message
            if opcode == BINARY:
                frames.append(data)
            elif opcode == PING:
                self._message(PONG, data)
            elif opcode == CLOSE:
                reason = data[2:].decode("utf-8", "replace")
                raise ConnectionError(f"closed by the loop: {reason}")

    def _next(self):
        """The next whole message of the buffer; a server does not mask, and sends no parts."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length = buffer[1] & 127
        start = 2
        if length == 126:
            if len(buffer) < 4:
                return None
            length = struct.unpack_from(">H", buffer, 2)[0]
            start = 4
        if length == 127 or length > 4096:
            raise ConnectionError("a message that no frame is as long as")
        if len(buffer) < start + length:
            return None
        message = (buffer[0] & 15, bytes(buffer[start : start + length]))
        del buffer[: start + length]
        return message

    def send(self, frame):
        self._message(BINARY, frame)

    def _message(self, opcode, data):
        mask = os.urandom(4)
        length = len(data)
        head = bytes((0x80 | opcode,))
        head += bytes((0x80 | length,)) if length < 126 else struct.pack(">BH", 0x80 | 126, length)
        pad = (mask * (length // 4 + 1))[:length]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")
        self._send(head + mask + masked.to_bytes(length, "big"))

    def _write(self, data):
        return self._socket.send(data)

    def close(self):
        self._socket.close()


class SerialLine(_Line):
    """A serial port, 8N1 without flow control, frames as COBS blocks."""

    def __init__(self, path, baud):
        super().__init__()
        import termios  # POSIX only, and a WebSocket needs none

        speed = getattr(termios, f"B{baud}", None)
        if speed is None:
            raise OSError(f"this system has no speed of {baud} baud")
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        settings = termios.tcgetattr(self._fd)
        control = list(settings[6])
        control[termios.VMIN] = 0
        control[termios.VTIME] = 0
        flags = termios.CS8 | termios.CREAD | termios.CLOCAL
        termios.tcsetattr(self._fd, termios.TCSANOW, [0, 0, flags, 0, speed, speed, control])
        self._buffer = bytearray()

    def fileno(self):
        return self._fd

    def receive(self):
        """Frames that have come. Raises OSError when the port is gone."""
        data = os.read(self._fd, 65536)
        if not data:
            raise ConnectionError("the line has hung up")
        self._buffer += data
        blocks = self._buffer.split(b"\0")
        self._buffer = blocks.pop()[-2 * MAX_FRAME :]
        frames = [cobs_decode(bytes(block)) for block in blocks if block]
        return [frame for frame in frames if frame]

    def send(self, frame):
        self._send(cobs_encode(frame))

    def _write(self, data):
        return os.write(self._fd, data)

    def close(self):
        os.close(self._fd)
