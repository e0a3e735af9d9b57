/** The present contact and the last ones: energy in, out and created, restitution predicted and measured. */
import type { JSX } from 'preact';
import type { LoopEnergyStatus } from '../../client/messages.ts';
import { clockTime } from '../alarms/log-lines.ts';
import { Panel } from '../shell/panel.tsx';
import { Energy, Value, Word } from '../shell/value.tsx';
import { fixed, joules } from '../shell/words.ts';
import { Strip } from '../strips/strip.tsx';
import { contacts } from './contacts.ts';
import type { ContactRecord } from './contact-book.ts';
import { RestitutionPlot } from './restitution-plot.tsx';
import { validityWords } from './validity.ts';

/** Created energy relative to the energy that the contact took. */
const share = ({ created_J, in_J }: { created_J: number; in_J: number }): number | null =>
  in_J > 0 ? (created_J / in_J) * 100 : null;

const or = (value: number | null, digits: number): string =>
  value === null ? '—' : fixed(value, digits);

function Present({ energy }: { readonly energy: LoopEnergyStatus | undefined }): JSX.Element {
  const audit = energy?.audit;
  const lasts = contacts.value.present !== null;
  return (
    <dl class="figures">
      <dt>contact</dt>
      <dd>
        <Word text={lasts ? '● touches' : '○ free; figures of the last one'} />
      </dd>
      <dt>range of the model</dt>
      <dd>
        <Validity />
      </dd>
      <dt>in</dt>
      <dd>
        <Energy id="energy-in" joules={audit?.in_J} label="Energy in" />
      </dd>
      <dt>out</dt>
      <dd>
        <Energy id="energy-out" joules={audit?.out_J} label="Energy out" />
      </dd>
      <dt>created by the loop</dt>
      <dd>
        <Energy id="energy-created" joules={audit?.created_J} label="Energy created" />
        {audit === undefined ? null : <span class="detail">{or(share(audit), 1)} % of in</span>}
      </dd>
      <dt>created since the start</dt>
      <dd>
        <Energy joules={audit?.created_total_J} />
      </dd>
      <dt>restitution of the last one, simulation</dt>
      <dd>
        <Value id="restitution-sim" value={audit?.restitution_sim} digits={3} />
      </dd>
      <dt>restitution of the last one, hardware</dt>
      <dd>
        <Value id="restitution-hw" value={audit?.restitution_hw} digits={3} />
      </dd>
    </dl>
  );
}

/** Limits that the present contact, or the last one, exceeded. */
function Validity(): JSX.Element {
  const { present, finished } = contacts.value;
  const exceeded = (present ?? finished.at(0))?.validity ?? [];
  return (
    <Word
      id="contact-validity"
      text={exceeded.length > 0 ? `▲ left: ${validityWords(exceeded)}` : '● kept'}
    />
  );
}

function Row({ record }: { readonly record: ContactRecord }): JSX.Element {
  const { at_ms, in_J, out_J, created_J, peak_force_N, validity } = record;
  return (
    <tr>
      <td>
        <time dateTime={new Date(at_ms).toISOString()}>{clockTime(at_ms).slice(0, 10)}</time>
      </td>
      <td class="number">{joules(in_J)}</td>
      <td class="number">{joules(out_J)}</td>
      <td class="number">
        {joules(created_J)} <span class="detail">{or(share(record), 1)} %</span>
      </td>
      <td class="number">{fixed(peak_force_N, 1)}</td>
      <td class="number">{or(record.predicted, 3)}</td>
      <td class="number">{or(record.predicted_active, 3)}</td>
      <td class="number">{or(record.sim, 3)}</td>
      <td class="number">{or(record.hardware, 3)}</td>
      <td title={validityWords(validity)}>
        {validity.length > 0 ? `▲ ${validity.join(', ')}` : '●'}
      </td>
    </tr>
  );
}

/** Units stand once, in the heading. */
const HEADS = ['in', 'out', 'created', 'force, N', 'e none', 'e set', 'e sim', 'e hw'];

function Table(): JSX.Element {
  const { finished } = contacts.value;
  if (finished.length === 0) {
    return <p class="hint">No contact has ended since this page was opened.</p>;
  }
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Last contacts">
      <table id="contacts">
        <thead>
          <tr>
            <th scope="col">Begin</th>
            {HEADS.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
            <th scope="col">range</th>
          </tr>
        </thead>
        <tbody>
          {finished.map((record) => (
            <Row key={record.number} record={record} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function EnergyPanel({
  energy,
}: {
  readonly energy: LoopEnergyStatus | undefined;
}): JSX.Element {
  return (
    <Panel name="energy" title="Energy of the contact">
      <Present energy={energy} />
      <Strip
        title="Created by the loop"
        axis={{ unit: 'J', least: 0.01, signed: true }}
        lines={[
          { series: 'energy_created_J', label: 'this contact' },
          { series: 'passivity_J', label: 'observer of the guard' },
        ]}
      />
    </Panel>
  );
}

export function ContactsPanel(): JSX.Element {
  return (
    <Panel name="contacts" title="Last contacts">
      <div class="contacts">
        <RestitutionPlot records={contacts.value.finished} />
        <Table />
      </div>
      <p class="hint">
        Predicted without compensation (none) and as the loop was set; measured at the simulated and
        at the hardware side. Approaches below 1 mm/s tell no restitution. Range: limits of the
        model that a contact exceeded.
      </p>
    </Panel>
  );
}
