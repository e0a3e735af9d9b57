/** Joints of the simulated arm: position in the range, rate, torque, and bending. */
import type { JSX } from 'preact';
import type { JointsFrame, RobotDescription } from '../../client/messages.ts';
import { Panel } from '../shell/panel.tsx';
import { Length, Value, Word } from '../shell/value.tsx';
import { degrees, metres } from '../shell/words.ts';
import { type JointFigures, jointFigures } from './joint-figures.ts';

const WIDTH = 180;
const HEIGHT = 14;

/** The range as a bar; the mark is the joint position, the tick the servo reference. */
function Range({ figures }: { readonly figures: JointFigures }): JSX.Element {
  const { lower, upper, position, reference, limited } = figures;
  const x = (value: number): number =>
    Math.min(1, Math.max(0, (value - lower) / (upper - lower))) * (WIDTH - 8) + 4;
  return (
    <svg class="joint-range" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line class="range" data-open={!limited} x1={4} x2={WIDTH - 4} y1={7} y2={7} />
      {limited ? <path class="range-ends" d={`M4 2v10M${WIDTH - 4} 2v10`} /> : null}
      <line class="wanted" x1={x(reference)} x2={x(reference)} y1={1} y2={13} />
      <circle class="joint" data-warned={figures.warning !== ''} cx={x(position)} cy={7} r={4} />
    </svg>
  );
}

const percent = (part: number | null): string =>
  part === null ? '' : ` ${(100 * part).toFixed(0)} %`;

function Row({ figures }: { readonly figures: JointFigures }): JSX.Element {
  const { name, unit, warning } = figures;
  return (
    <tr data-warned={warning !== ''}>
      <th scope="row">
        {name}
        {warning === '' ? null : <span class="joint-warning"> ▲ {warning}</span>}
      </th>
      <td>
        <Range figures={figures} />
      </td>
      <td class="number" data-name="Position">
        <Value value={figures.position} digits={2} unit={unit} label={`Position of ${name}`} />
      </td>
      <td class="number" data-name="Rate">
        <Value value={figures.rate} digits={2} unit={`${unit}/s`} label={`Rate of ${name}`} />
        <span class="share">{percent(figures.rateShare)}</span>
      </td>
      <td class="number" data-name="Torque">
        <Value
          value={figures.torque}
          digits={1}
          unit={figures.effortUnit}
          label={`Torque of ${name}`}
        />
        <span class="share">{percent(figures.torqueShare)}</span>
      </td>
      <td class="number" data-name="Gear bends">
        {figures.gear === null ? (
          'rigid'
        ) : (
          <Word
            text={unit === '°' ? degrees(figures.gear / 1e3) : metres(figures.gear / 1e6)}
            label={`Gear of ${name}`}
          />
        )}
      </td>
      <td class="number" data-name="Link bends">
        {figures.bending_mm === null ? (
          'rigid'
        ) : (
          <Length metres={figures.bending_mm / 1e3} label={`Bending of ${name}`} />
        )}
      </td>
    </tr>
  );
}

export interface JointsPanelProps {
  readonly robot: RobotDescription;
  readonly frame: JointsFrame | undefined;
}

export function JointsPanel({ robot, frame }: JointsPanelProps): JSX.Element {
  const shown = frame?.position.length === robot.joints.length ? frame : undefined;
  return (
    <Panel name="joints" title="Joints">
      {shown === undefined ? (
        <p class="hint">No joint values have arrived yet.</p>
      ) : (
        <div class="joint-scroll">
          <table class="joint-table">
            <thead>
              <tr>
                <th scope="col">Joint</th>
                <th scope="col">Range</th>
                <th scope="col" class="number">
                  Position
                </th>
                <th scope="col" class="number">
                  Rate
                </th>
                <th scope="col" class="number">
                  Torque
                </th>
                <th scope="col" class="number">
                  Gear bends
                </th>
                <th scope="col" class="number">
                  Link bends
                </th>
              </tr>
            </thead>
            <tbody>
              {robot.joints.map((joint, at) => {
                const link = robot.links.find(({ name }) => name === joint.link);
                const flexible = (link?.modes ?? 0) > 0;
                return <Row key={joint.name} figures={jointFigures(joint, shown, at, flexible)} />;
              })}
            </tbody>
          </table>
        </div>
      )}
      <p class="hint">
        The mark is the joint, the tick where its servo wants it. Percent are of the joint’s own
        limits.
      </p>
    </Panel>
  );
}
