/** Trees that cannot move are refused: the sentence names the link, the value and what is allowed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BerthError } from '../../../src/index.ts';
import { checkTree } from '../../../src/multibody/tree/check-tree.ts';
import type { TreeLinkModel, TreeModel } from '../../../src/model/tree-model.ts';
import { about, beam, drive, link, spaceArm, tree } from '../../fixtures/tree-models.ts';

const HINGE = about([0, 0, 1], 0, 0);
const hinged = (other: Partial<TreeLinkModel>): TreeModel =>
  tree([link('arm', -1, { joint: HINGE, ...other })]);
const bent = (other: Parameters<typeof beam>[0]): TreeModel =>
  hinged({ center: [0.5, 0, 0], beam: beam(other) });

const REFUSED: readonly (readonly [string, TreeModel, RegExp])[] = [
  [
    'no links',
    { ...tree([link('arm', -1, {})]), links: [], frames: [] },
    /tree\.links.*at least one, got 0/,
  ],
  ['negative mass', hinged({ mass: -1 }), /link arm\.mass >= 0, got -1/],
  ['negative moment', hinged({ inertia: [1, 1, -0.5, 0, 0, 0] }), /link arm\.inertia.*-0\.5/],
  ['no triangle', hinged({ inertia: [1, 1, 2.5, 0, 0, 0] }), /link arm\.inertia.*triangle.*2\.5/],
  ['axis of two', hinged({ joint: about([0, 0, 2], 0, 0) }), /link arm\.joint\.axis.*length 1/],
  ['child before its parent', tree([link('arm', 0, { joint: HINGE })]), /link arm\.parent.*got 0/],
  ['beam of no length', bent({ length: 0 }), /link arm\.beam\.length > 0, got 0/],
  [
    'beam without stiffness',
    bent({ bendingStiffness: [1, 0] }),
    /bendingStiffness\[1\] > 0, got 0/,
  ],
  ['seven modes', bent({ modes: [7, 0] }), /link arm\.beam\.modes\[0\].*from 0 to 6, got 7/],
  [
    'a beam with its centre off',
    { ...bent({}), links: [link('arm', -1, { joint: HINGE, beam: beam({}) })] },
    /link arm\.center.*0\.5.*got \[0, 0, 0\]/,
  ],
  [
    'deflection of two for one mode',
    bent({ deflection: [0, 0] }),
    /beam\.deflection.*1 numbers, got 2/,
  ],
  [
    'rotor without inertia',
    hinged({ joint: about([0, 0, 1], 0, 0, drive(0, null)) }),
    /rotorInertia > 0, got 0/,
  ],
  [
    'limits crossed',
    hinged({
      joint: {
        ...HINGE,
        kind: 'revolute',
        axis: [0, 0, 1],
        position: 0,
        rate: 0,
        lower: 1,
        upper: -1,
      },
    }),
    /link arm\.joint\.lower <= upper, got 1 and -1/,
  ],
  [
    'bristles that give energy back',
    tree([
      link('arm', -1, {
        joint: {
          kind: 'revolute',
          axis: [0, 0, 1],
          position: 0,
          rate: 0,
          friction: {
            stiction: 3,
            coulomb: 2,
            bristleStiffness: 1e4,
            bristleDamping: 99,
            viscous: 0,
            stribeckSpeed: 0.01,
            dwellTime: 1,
          },
        },
      }),
    ]),
    /link arm\.joint\.friction\.bristleDamping to be at least .*100.*got 99/,
  ],
  [
    'two of a name',
    tree([link('arm', -1, { joint: HINGE }), link('arm', 0, {})]),
    /different names, got "arm" twice/,
  ],
  [
    'a frame on no link',
    {
      ...hinged({}),
      frames: [{ name: 'eye', link: 3, position: [0, 0, 0], orientation: [0, 0, 0, 1] }],
    },
    /frame eye\.link.*0 to 0, got 3/,
  ],
  ['nothing moves', tree([link('arm', -1, {})]), /at least one joint that moves/],
  [
    'a last link without mass',
    tree([
      link('arm', -1, { joint: HINGE }),
      link('hand', 0, { joint: HINGE, mass: 0, inertia: [0, 0, 0, 0, 0, 0] }),
    ]),
    /link hand.*moves no mass/,
  ],
  [
    'a thin rod that turns about itself, where rounding looks like inertia',
    tree([
      link('arm', -1, { joint: about([0, 1, 0], 0.7, 0), center: [1, 0, 0] }),
      link('hand', 0, {
        joint: about([0.6, 0.8, 0], 0.3, 0),
        center: [0.6, 0.8, 0],
        inertia: [0.64, 0.36, 1, -0.48, 0, 0],
      }),
    ]),
    /link hand.*moves no mass/,
  ],
  [
    'two parallel axes through a point',
    tree([
      link('arm', -1, { joint: HINGE, mass: 0, inertia: [0, 0, 0, 0, 0, 0] }),
      link('hand', 0, { joint: HINGE }),
    ]),
    /tree.*several joints together move no mass|several joints together moves no mass/,
  ],
];

test('bad trees are refused by name, and the sentence says what is allowed', () => {
  for (const [what, model, message] of REFUSED) {
    assert.throws(
      () => checkTree(model),
      (error) => error instanceof BerthError && message.test(error.message),
      `${what} was not refused with ${message}`,
    );
  }
});

test('good trees pass: a massless link in between, a weightless fixed tip, an arm with beams', () => {
  const nothing = { mass: 0, inertia: [0, 0, 0, 0, 0, 0] } as const;
  checkTree(
    tree([
      link('yoke', -1, { joint: HINGE, ...nothing }),
      link('arm', 0, { joint: about([0, 1, 0], 0, 0), center: [1, 0, 0] }),
      link('flag', 1, nothing),
    ]),
  );
  checkTree(spaceArm(2));
});
