/** The strips of a flight: force, moment, pose error and lateness of the last 10 s. */
import type { JSX } from 'preact';
import { roundDuration } from '../timing/figures.ts';
import { Strip, type StripLine } from './strip.tsx';

/** The magnitude is drawn below its parts. */
export const FORCES: readonly StripLine[] = [
  { series: 'force_N', label: 'magnitude' },
  { series: 'force_x_N', label: 'x' },
  { series: 'force_y_N', label: 'y' },
  { series: 'force_z_N', label: 'z' },
];
const MOMENTS: readonly StripLine[] = [
  { series: 'moment_Nm', label: 'magnitude' },
  { series: 'moment_x_Nm', label: 'x' },
  { series: 'moment_y_Nm', label: 'y' },
  { series: 'moment_z_Nm', label: 'z' },
];
/** Set-point minus measured value. */
const ERRORS: readonly StripLine[] = [
  { series: 'position_error_m', label: 'position (left)' },
  { series: 'angle_error_rad', label: 'angle (right)', right: true },
];

/** Lateness in decades, so that both 20 µs and 20 ms are visible. */
export function LatenessStrip(): JSX.Element {
  return (
    <Strip
      title="Lateness"
      axis={{ unit: 's', decades: [1e-6, 1], tickWords: roundDuration }}
      lines={[{ series: 'lateness_s', label: 'worst tick' }]}
    />
  );
}

/** All strips, as many side by side as fit. */
export function Strips(): JSX.Element {
  return (
    <section class="panel strips" aria-label="Strips of the last 10 s">
      <Strip title="Force" axis={{ unit: 'N', least: 2, signed: true }} lines={FORCES} />
      <Strip title="Moment" axis={{ unit: 'N m', least: 0.5, signed: true }} lines={MOMENTS} />
      <Strip
        title="Pose error"
        axis={{ unit: 'mm', factor: 1000, least: 0.01 }}
        rightAxis={{ unit: 'mrad', factor: 1000, least: 0.01 }}
        lines={ERRORS}
      />
      <LatenessStrip />
    </section>
  );
}
