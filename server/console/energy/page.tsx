/** Energy: effect of the loop delay on a contact, results of the last contacts, and the compensation. */
import type { JSX } from 'preact';
import { status } from '../store.ts';
import { CompensationPanel } from './compensation-panel.tsx';
import { ContactsPanel, EnergyPanel } from './contacts-panel.tsx';
import { DelayPanel } from './delay-panel.tsx';
import './energy.css';
import { GuardPanel } from './guard-panel.tsx';
import { PredictionPanel } from './prediction-panel.tsx';

export function EnergyPage(): JSX.Element {
  const { loop_energy: energy, energy_limits: limits, guard_ticks: ticks } = status.value ?? {};
  return (
    <>
      <div class="column">
        <DelayPanel energy={energy} />
        <PredictionPanel energy={energy} limits={limits} />
        <CompensationPanel energy={energy} />
      </div>
      <div class="column">
        <EnergyPanel energy={energy} />
        <GuardPanel energy={energy} ticks={ticks} />
      </div>
      <div class="column energy-wide">
        <ContactsPanel />
      </div>
    </>
  );
}
