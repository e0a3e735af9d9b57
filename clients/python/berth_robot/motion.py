"""Motion of a tool without an arm of its own: for the example, and for a first test."""

import math


def advance(position, orientation, twist, dt):
    """Pose after `dt` seconds of a twist (m/s, rad/s, base frame)."""
    place = [p + v * dt for p, v in zip(position, twist[:3])]
    angle = math.sqrt(sum(w * w for w in twist[3:])) * dt
    if angle == 0:
        return place, list(orientation)
    scale = math.sin(angle / 2) / angle * dt
    a, b, c = (w * scale for w in twist[3:])
    d = math.cos(angle / 2)
    x, y, z, w = orientation
    turned = [
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    ]
    length = math.sqrt(sum(q * q for q in turned))
    return place, [q / length for q in turned]


def brake(twist, dt, deceleration=5.0, angular_deceleration=20.0):
    """Twist after `dt` seconds of braking, to rest and no further."""

    def slower(part, by):
        speed = math.sqrt(sum(v * v for v in part))
        return [v * (1 - by / speed) for v in part] if speed > by else [0.0] * 3

    linear = slower(twist[:3], deceleration * dt)
    return linear + slower(twist[3:], angular_deceleration * dt)
