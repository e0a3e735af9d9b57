/** Flying: the scene large, beside it everything that decides whether the arm moves. */
import './fly.css';
import type { JSX } from 'preact';
import { AxesPanel } from '../devices/axes-panel.tsx';
import { FmaPanel } from '../devices/fma-panel.tsx';
import { ScenePanel } from '../scene/scene-panel.tsx';
import { Strips } from '../strips/strips.tsx';
import { AuthorityPanel } from './authority-panel.tsx';
import { MachinePanel } from './machine.tsx';

export function FlyPage(): JSX.Element {
  return (
    <>
      <ScenePanel />
      <div class="fly-side">
        <MachinePanel />
        <AuthorityPanel />
        <AxesPanel />
      </div>
      <Strips />
      <FmaPanel />
    </>
  );
}
