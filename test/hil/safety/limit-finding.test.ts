/** What a fault of limits tells: the quantity that is furthest beyond its limit, the limit, and the axis. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { FaultCode } from '../../../hil/contract/codes.ts';
import { EventKind } from '../../../hil/contract/events.ts';
import { limitWords, valueWords } from '../../../hil/contract/limit-words.ts';
import { NO_NAMES } from '../../../hil/contract/scene-columns.ts';
import { eventWords } from '../../../hil/recording/event-words.ts';
import { LimitFinding } from '../../../hil/safety/limit-finding.ts';
import { LimitMonitor } from '../../../hil/safety/limits.ts';
import { AlarmFeed } from '../../../server/alarms/alarm-feed.ts';
import { AlarmList } from '../../../server/alarms/alarms.ts';

const { limits } = loadSettings();
const finding = new LimitFinding();

function tell(
  code: number,
  change: (measured: Float64Array, wrench: Float64Array) => void,
): string {
  const measured = new Float64Array(13);
  const measuredWrench = new Float64Array(6);
  change(measured, measuredWrench);
  const monitor = new LimitMonitor(limits, 0.001);
  monitor.setCenter(0, 0, 0);
  const figures = (): { figures: Float64Array } => ({ figures: new Float64Array(8) });
  const watch = { motion: figures(), following: figures() };
  const place = finding.find(code, { measured, measuredWrench, limits: monitor, watch });
  const [value, limit] = finding.figures;
  return `${valueWords(place, value)}, ${limitWords(place, limit)}`;
}

test('force and moment: the one beyond, along its largest axis', () => {
  assert.equal(
    tell(FaultCode.FORCE_LIMIT, (_, wrench) => wrench.set([0, 3, -612, 1, 1, 1])),
    'force 612 N along z, allowed 400 N',
  );
  assert.equal(
    tell(FaultCode.FORCE_LIMIT, (_, wrench) => wrench.set([10, 0, 0, 0, 150, 0])),
    'moment 150 N m along y, allowed 100 N m',
  );
});

test('speed: the bound that is judged, a fifth above the limit in force', () => {
  assert.equal(
    tell(FaultCode.VELOCITY_LIMIT, (measured) => measured.set([-0.13, 0, 0], 7)),
    'speed 0.13 m/s along x, allowed 0.12 m/s',
  );
  assert.equal(
    tell(FaultCode.VELOCITY_LIMIT, (measured) => measured.set([0, 0, 0, 0, 0, 2], 7)),
    'turning 2 rad/s along z, allowed 0.6 rad/s',
  );
});

test('workspace: coordinate and border', () => {
  const beyond = limits.workspace_m + 0.1;
  assert.equal(
    tell(FaultCode.WORKSPACE_LIMIT, (measured) => measured.set([0, -beyond, 0])),
    `place ${-beyond} m along y, allowed ${-limits.workspace_m} m`,
  );
});

test('no other fault has a limit', () => {
  const evidence = (): void => undefined;
  assert.equal(tell(FaultCode.LINK_LOST, evidence), ', ');
});

test('alarm and recording have the sentence', () => {
  const alarms = new AlarmList(() => undefined);
  const feed = new AlarmFeed(alarms);
  const place = 1 + 2; // force along z
  const event = (kind: number, c: number) => ({
    kind,
    tick: 7,
    time_s: 0.007,
    a: FaultCode.FORCE_LIMIT,
    b: place,
    c,
  });
  feed.event(event(EventKind.LIMIT, 400));
  feed.event(event(EventKind.FAULT, 612));
  assert.equal(
    alarms.list[0].message,
    'The measured force or moment was above its limit. Force 612 N along z, allowed 400 N.',
  );
  const words = (kind: number, c: number): string =>
    eventWords(Float64Array.of(kind, 7, 0.007, FaultCode.FORCE_LIMIT, place, c), NO_NAMES);
  assert.equal(
    words(EventKind.FAULT, 612),
    'tick 7: fault or hold FORCE_LIMIT: force 612 N along z',
  );
  assert.equal(words(EventKind.LIMIT, 400), 'tick 7: FORCE_LIMIT: allowed 400 N');
});
