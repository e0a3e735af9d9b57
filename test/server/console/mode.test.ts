/** Modes of the hand controllers in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HandMode, RobotDescription } from '../../../server/client/messages.ts';
import { axesWords, drivenJoints, modeName } from '../../../server/console/arm/mode-words.ts';

const joint = (name: string, driven: boolean) => ({
  name,
  link: name,
  kind: 'revolute' as const,
  lower: null,
  upper: null,
  rate_limit: Math.PI / 45,
  effort_limit: null,
  stiffness: null,
  driven,
});
const ROBOT: RobotDescription = {
  scenario: 'two-arms',
  robot: 'two arms',
  statuses: [],
  joints: [joint('SR', false), joint('DSY', true), joint('DSP', true)],
  links: [],
};
const OPERATOR = {
  deadband: 0.05,
  coarse_speed_mps: 0.02,
  coarse_angular_speed_radps: 0.05,
  vernier_ratio: 0.1,
  input_timeout_s: 0.1,
  authority_lease_s: 2,
};
const words = (mode: HandMode): string => axesWords(mode, ROBOT, OPERATOR).join(' ');

test('each mode says what the axes do, with the speeds and ways of this service', () => {
  const rate = { mode: 'rate', joint: null, axis: null } as const;
  assert.equal(modeName(rate, ROBOT), 'rate');
  assert.match(
    words(rate),
    /up to 20\.0 mm\/s, RX, RY, RZ turn it at up to 2\.86 °\/s; vernier 0\.1/,
  );
  const position = { mode: 'position', joint: null, axis: null } as const;
  assert.match(words(position), /Full stick holds the tool 100 mm, or 14\.3°, from where/);
  const single = { mode: 'joint', joint: 2, axis: 5 } as const;
  assert.equal(modeName(single, ROBOT), 'joint DSP by RZ');
  assert.match(words(single), /^RZ turns DSP at up to 4\.00 °\/s.*nothing accommodates/);
  // before the robot was described
  assert.equal(modeName(single, null), 'joint number 2 by RZ');
});

test('only driven joints are offered, with their places among all', () => {
  assert.deepEqual(
    drivenJoints(ROBOT).map(([place, { name }]) => [place, name]),
    [
      [1, 'DSY'],
      [2, 'DSP'],
    ],
  );
  assert.deepEqual(drivenJoints(null), []);
});
