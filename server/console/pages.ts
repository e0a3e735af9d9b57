/** Pages of the console in the order of the navigation. */
import type { ComponentType } from 'preact';
import { AlarmsPage } from './alarms/page.tsx';
import { ArmPage } from './arm/page.tsx';
import { DevicesPage } from './devices/page.tsx';
import { EnergyPage } from './energy/page.tsx';
import { FlyPage } from './fly/page.tsx';
import { LinkPage } from './link/page.tsx';
import { RecordingsPage } from './recordings/page.tsx';
import { StudiesPage } from './studies/page.tsx';
import { TimingPage } from './timing/page.tsx';

export interface PageEntry {
  readonly hash: string;
  readonly title: string;
  readonly Page: ComponentType;
}

export const PAGES: readonly PageEntry[] = [
  { hash: '#/fly', title: 'Fly', Page: FlyPage },
  { hash: '#/arm', title: 'Arm', Page: ArmPage },
  { hash: '#/timing', title: 'Timing', Page: TimingPage },
  { hash: '#/link', title: 'Link', Page: LinkPage },
  { hash: '#/energy', title: 'Energy', Page: EnergyPage },
  { hash: '#/alarms', title: 'Alarms', Page: AlarmsPage },
  { hash: '#/recordings', title: 'Recordings', Page: RecordingsPage },
  { hash: '#/studies', title: 'Studies', Page: StudiesPage },
  { hash: '#/devices', title: 'Devices', Page: DevicesPage },
];
