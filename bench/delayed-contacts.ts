/**
 * Two contacts that a delay of 10 ms makes unstable: the half-sphere on the force plate, as it is, and the battery box on the floor of its
 * work-site. The box as it is flown is stable at 10 ms: its floor k = k_v A = 8e6 · 0.12 = 9.6e5 N/m under an accommodation of
 * g = 1e4 N/(m/s) has k T/g = 0.96 < π/2 (docs/theory/loop-energy.md, eq. 10). Here its arm yields more, g = 3e3 N/(m/s): 3.2.
 */
import { type Scenario, loadScenario } from '../config/scenario.ts';
import type { Settings } from '../config/settings.ts';

export const DELAY_S = 0.01;
/** What dashboards/rules/berth.rules.yml allows in a minute; a test compares them. */
export const ALERT_J_PER_MINUTE = 0.05;

/** One contact, and how it is pressed. */
export interface DelayedContact {
  readonly name: string;
  readonly scenario: () => Scenario;
  /** Stick, and its axis: 0 x, 2 z. */
  readonly axes: readonly number[];
  readonly axis: number;
}

/** The box straight and 2 mm above the floor, on a softer arm. */
function softBox(): Scenario {
  const scenario = structuredClone(loadScenario('battery-box-insertion'));
  for (const body of scenario.bodies) {
    if (body.kind === 'fixed') continue;
    body.position_m = [-0.002, 0, 0];
    body.orientation = { kind: 'quaternion', xyzw: [0, 0, 0, 1] };
  }
  const { tool } = scenario;
  if (tool === undefined) throw new Error('the box has lost its tool');
  tool.force_gain_N_per_mps = 3e3;
  tool.lag_s = 0.02;
  return scenario;
}

export const DELAYED_CONTACTS: readonly DelayedContact[] = [
  {
    name: 'half-sphere',
    scenario: () => loadScenario('half-sphere-on-plate'),
    axes: [0, 0, -0.1, 0, 0, 0],
    axis: 2,
  },
  { name: 'battery box', scenario: softBox, axes: [0.15, 0, 0, 0, 0, 0], axis: 0 },
];

/** Dead-band plus gain times speed: what the contact rests on, N. The dead-band of the stick is left out of its speed. */
export function plateau_N(contact: DelayedContact, operator: Settings['operator']): number {
  const { tool } = contact.scenario();
  const stick = Math.abs(contact.axes[contact.axis] ?? 0);
  const share = Math.max(0, stick - operator.deadband) / (1 - operator.deadband);
  return (
    (tool?.force_deadband_N ?? NaN) +
    (tool?.force_gain_N_per_mps ?? NaN) * share * operator.coarse_speed_mps
  );
}
