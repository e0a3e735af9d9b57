/**
 * Hand controllers without a browser: calibration, readings of gamepads, keyboards and SpaceMouse reports as bytes, and the rule
 * that a device which goes takes its deadman with it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  gamepadKind,
  gamepadModel,
  gamepadName,
  GamepadReading,
  type GamepadState,
} from '../../../server/client/devices/gamepad-reading.ts';
import { DEADMAN_KEY, GEAR_KEY, KeyAxes } from '../../../server/client/devices/key-axes.ts';
import { type DeviceKind, LAYOUTS, MOST_AXES } from '../../../server/client/devices/layout.ts';
import {
  calibrate,
  commandAxes,
  defaultProfile,
  profileProblems,
  readProfile,
} from '../../../server/client/devices/profile.ts';
import {
  SILENCE_MS,
  SpaceMouseReports,
} from '../../../server/client/devices/spacemouse-reports.ts';

const KINDS = Object.keys(LAYOUTS) as DeviceKind[];

/** Command axes of raw ones, through the profile that a kind comes with. */
function commanded(kind: DeviceKind, axes: ArrayLike<number>): number[] {
  const out = new Float64Array(6);
  commandAxes(defaultProfile(kind), { axes: Float64Array.from(axes), buttons: [] }, out);
  return [...out];
}

const view = (hex: string): DataView => {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return new DataView(bytes.buffer);
};

describe('calibration', () => {
  const range = { minimum: -300, centre: 20, maximum: 420 };

  test('rest is zero and each side reaches one at its own end', () => {
    assert.equal(calibrate(20, range), 0);
    assert.equal(calibrate(220, range), 0.5);
    assert.equal(calibrate(420, range), 1);
    assert.equal(calibrate(-140, range), -0.5);
    assert.equal(calibrate(-300, range), -1);
  });

  test('never beyond one, never decreasing, never anything but a number', () => {
    fc.assert(
      fc.property(
        fc.double(),
        fc.double(),
        fc.tuple(
          fc.double({ min: -1e3, max: 1e3, noNaN: true }),
          fc.double({ min: -1e3, max: 1e3, noNaN: true }),
          fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        ),
        (a, b, ends) => {
          const [minimum, centre, maximum] = ends.sort((x, y) => x - y);
          const [x, y] = [a, b].map((raw) => calibrate(raw, { minimum, centre, maximum }));
          assert.ok(Math.abs(x) <= 1 && Math.abs(y) <= 1);
          if (Number.isFinite(a) && Number.isFinite(b) && a <= b) assert.ok(x <= y);
        },
      ),
    );
  });

  test('an axis without range gives zero, not infinity', () => {
    assert.equal(calibrate(5, { minimum: 0, centre: 0, maximum: 0 }), 0);
    assert.equal(calibrate(Number.NaN, range), 0);
  });

  test('what a device comes with fits its layout and has no problem', () => {
    for (const kind of KINDS) {
      const profile = defaultProfile(kind);
      assert.deepEqual(readProfile(JSON.parse(JSON.stringify(profile)), kind), profile);
      assert.deepEqual(profileProblems(profile, kind), []);
      assert.ok(LAYOUTS[kind].axisNames.length <= MOST_AXES);
    }
  });

  test('a kept profile that is broken, or of another device, is not taken', () => {
    const good = defaultProfile('gamepad');
    const [first, ...others] = good.ranges;
    for (const bad of [
      null,
      7,
      {},
      { ...good, deadman: 99 },
      { ...good, gear: '5' },
      { ...good, assignments: good.assignments.slice(1) },
      { ...good, assignments: good.assignments.map(() => null) },
      { ...good, ranges: [{ ...first, centre: 2 }, ...others] },
      { ...good, ranges: [{ ...first, maximum: null }, ...others] },
      defaultProfile('spacemouse'),
    ]) {
      assert.equal(readProfile(bad, 'gamepad'), null, JSON.stringify(bad));
    }
  });

  test('what an operator should know is said', () => {
    const good = defaultProfile('gamepad');
    const problems = (change: object): string =>
      profileProblems({ ...good, ...change }, 'gamepad').join();
    assert.match(problems({ deadman: -1 }), /No button is the deadman/);
    assert.match(problems({ gear: 4 }), /"Left bumper" is both the deadman and the gear/);
    assert.match(problems({ deadman: 7 }), /Holding the deadman moves Z as well/);
    const both = good.assignments.map((one, i) => (i === 5 ? { source: 0, inverted: true } : one));
    assert.match(problems({ assignments: both }), /"Left stick, right" moves X and RZ together/);
    const none = good.assignments.map(() => ({ source: -1, inverted: false }));
    assert.match(problems({ assignments: none }), /No axis moves anything/);
  });
});

describe('gamepad', () => {
  const pad = (
    axes: number[],
    values: Record<number, number> = {},
    mapping = 'standard',
  ): GamepadState => ({
    id: 'Xbox Wireless Controller (STANDARD GAMEPAD Vendor: 045e Product: 0b13)',
    index: 0,
    connected: true,
    mapping,
    axes,
    buttons: Array.from({ length: 17 }, (_, i) => ({
      pressed: values[i] === 1,
      value: values[i] ?? 0,
    })),
  });

  test('sticks and pairs of buttons move the axes that the page says', () => {
    const reading = (state: GamepadState): number[] =>
      commanded('gamepad', new GamepadReading('gamepad').read(state).axes);
    assert.deepEqual(reading(pad([1, 0, 0, 0])), [1, 0, 0, 0, 0, 0]);
    // a stick that is pushed away reads −1
    assert.deepEqual(reading(pad([0, -1, 0, 0])), [0, 1, 0, 0, 0, 0]);
    assert.deepEqual(reading(pad([0, 0, 0, 0], { 7: 0.5 })), [0, 0, 0.5, 0, 0, 0]);
    assert.deepEqual(reading(pad([0, 0, 0, 0], { 6: 1 })), [0, 0, -1, 0, 0, 0]);
    // pushed away, the tool tips away: a negative turn about x
    assert.deepEqual(reading(pad([0, 0, 0, -1])), [0, 0, 0, -1, 0, 0]);
    // pushed right, it turns clockwise seen from above
    assert.deepEqual(reading(pad([0, 0, 1, 0])), [0, 0, 0, 0, 0, -1]);
    assert.deepEqual(reading(pad([0, 0, 0, 0], { 15: 1 })), [0, 0, 0, 0, 1, 0]);
  });

  test('a half-pulled trigger is no pressed button, a pulled one is', () => {
    const reading = new GamepadReading('gamepad');
    assert.equal(reading.read(pad([], { 6: 0.4 })).buttons[6], false);
    assert.equal(reading.read(pad([], { 6: 0.6 })).buttons[6], true);
    assert.equal(reading.read(pad([], { 4: 1 })).buttons[4], true);
  });

  test('one without the standard mapping keeps its axes as they are, missing ones rest', () => {
    const stick = pad([0.1, 0.2, 0.3], { 0: 1 }, '');
    assert.equal(gamepadKind(stick), 'joystick');
    const { axes, buttons } = new GamepadReading('joystick').read(stick);
    assert.deepEqual([...axes], [0.1, 0.2, 0.3, 0, 0, 0, 0, 0]);
    assert.equal(buttons[0], true);
  });

  test('name and model as browsers write them', () => {
    const named = (id: string, mapping = 'standard'): string[] => {
      const state = { ...pad([]), id, mapping };
      return [gamepadName(state), gamepadModel(state)];
    };
    const xbox = 'Xbox Wireless Controller (STANDARD GAMEPAD Vendor: 045e Product: 0b13)';
    assert.deepEqual(named(xbox), ['Xbox Wireless Controller', 'gamepad:045e:0b13']);
    const firefox = '054c-0ce6-Wireless Controller';
    assert.deepEqual(named(firefox), ['Wireless Controller', 'gamepad:054c:0ce6']);
    assert.deepEqual(named('', ''), ['Joystick', 'joystick:']);
  });
});

describe('keyboard', () => {
  test('pairs of keys are axes, opposite keys cancel, Shift is the deadman', () => {
    const keys = new KeyAxes();
    assert.ok(keys.down('KeyW') && keys.down('KeyD') && keys.down('ArrowUp') && keys.down('KeyE'));
    assert.ok(keys.down(DEADMAN_KEY));
    const { axes, buttons } = keys.read();
    assert.deepEqual(commanded('keyboard', axes), [1, 1, 0, -1, 0, -1]);
    assert.deepEqual(buttons, [true, false]);
    keys.down('KeyS');
    keys.up('KeyD');
    assert.deepEqual(commanded('keyboard', keys.read().axes), [0, 0, 0, -1, 0, -1]);
  });

  test('space is not a key of it, nor anything else that the page needs', () => {
    const keys = new KeyAxes();
    for (const code of ['Space', 'Enter', 'Tab', 'Escape', 'ShiftRight', 'KeyX']) {
      assert.equal(keys.down(code), false, code);
    }
    assert.deepEqual([...keys.read().axes], [0, 0, 0, 0, 0, 0]);
  });

  test('a tap of the gear key between two looks is one press; that of a deadman or an axis is none', () => {
    const keys = new KeyAxes();
    for (const code of [GEAR_KEY, DEADMAN_KEY, 'KeyW']) {
      keys.down(code);
      keys.up(code);
    }
    const { axes, buttons } = keys.read();
    assert.deepEqual(buttons, [false, true]);
    assert.equal(axes[1], 0);
    assert.deepEqual(keys.read().buttons, [false, false]);
    keys.down(GEAR_KEY);
    keys.release();
    assert.deepEqual(keys.read().buttons, [false, false]);
  });

  test('keys whose release went elsewhere do not stay', () => {
    const keys = new KeyAxes();
    keys.down('KeyW');
    keys.down(DEADMAN_KEY);
    keys.shift(false);
    assert.equal(keys.read().buttons[0], false);
    keys.release();
    assert.equal(keys.read().axes[1], 0);
  });
});

describe('SpaceMouse', () => {
  test('translation and rotation in two reports, little-endian, signed', () => {
    const mouse = new SpaceMouseReports();
    // 350, −350, 1 and −2, 256, −1
    assert.ok(mouse.take(1, view('5e01a2fe0100'), 0));
    assert.ok(mouse.take(2, view('feff0001ffff'), 8));
    assert.deepEqual([...mouse.read(10)!.axes], [350, -350, 1, -2, 256, -1]);
  });

  test('all six in one report', () => {
    const mouse = new SpaceMouseReports();
    mouse.take(1, view('010002000300fdfffeffffff'), 0);
    assert.deepEqual([...mouse.read(1)!.axes], [1, 2, 3, -3, -2, -1]);
  });

  test('buttons are bits; a short report releases the rest', () => {
    const mouse = new SpaceMouseReports();
    mouse.take(3, view('02000080'), 0);
    const pressed = (): number[] =>
      mouse.read(1)!.buttons.flatMap((isDown, i) => (isDown ? [i] : []));
    assert.deepEqual(pressed(), [1, 31]);
    mouse.take(3, view('01'), 2);
    assert.deepEqual(pressed(), [0]);
  });

  test('reports of other kinds and short ones change nothing', () => {
    const mouse = new SpaceMouseReports();
    assert.equal(mouse.take(23, view('630000000000'), 0), false);
    assert.equal(mouse.take(1, view('5e01'), 0), false);
    assert.deepEqual([...mouse.read(1)!.axes], [0, 0, 0, 0, 0, 0]);
  });

  test('silence at rest is rest; silence while deflected is lost contact', () => {
    const mouse = new SpaceMouseReports();
    mouse.take(1, view('5e0100000000'), 0);
    assert.notEqual(mouse.read(SILENCE_MS), null);
    assert.equal(mouse.read(SILENCE_MS + 1), null);
    mouse.take(1, view('000000000000'), 200);
    assert.deepEqual([...mouse.read(60_000)!.axes], [0, 0, 0, 0, 0, 0]);
  });

  test('pushed, pulled and turned, it moves as the hand does', () => {
    assert.deepEqual(
      commanded('spacemouse', [350, -350, -350, 350, -350, -350]),
      [1, 1, 1, 1, 1, 1],
    );
  });
});
