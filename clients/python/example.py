"""A robot of a tool that follows at once: replace `Tool` by the arm of your own (docs/robot-kit.md).

    python3 clients/python/example.py ws://127.0.0.1:7411/robot 0 0 0.001
"""

import os
import signal
import sys

from berth_robot import COAST, EMERGENCY, FOLLOW, Robot, advance, brake


class Tool:
    """Where your arm comes in: it measures, and it moves for one cycle."""

    def __init__(self, position):
        self.position = position
        self.orientation = [0.0, 0.0, 0.0, 1.0]
        self.twist = [0.0] * 6
        self.wrench = [0.0] * 6  # of your force sensor: N and N m on the tool

    def move(self, command, dt):
        if command.action == FOLLOW:
            self.position = list(command.position)
            self.orientation = list(command.orientation)
            self.twist = list(command.twist)
            return
        if command.action != COAST:
            strength = 4 if command.action == EMERGENCY else 1
            self.twist = brake(self.twist, dt, 5.0 * strength, 20.0 * strength)
        self.position, self.orientation = advance(
            self.position, self.orientation, self.twist, dt
        )


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:7411/robot"
    start = [float(part) for part in sys.argv[2:5]] or [0.0, 0.0, 0.001]
    tool = Tool(start)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    key = os.environ.get("BERTH_ROBOT_KEY", "")
    with Robot(address, device="python-example", key=key) as robot:
        while True:
            robot.report(tool.position, tool.orientation, tool.twist, tool.wrench)
            tool.move(robot.wait(), robot.period_s)


if __name__ == "__main__":
    main()
