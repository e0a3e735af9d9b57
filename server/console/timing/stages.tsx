/** Use of the period: stages of the tick side by side, and the spare time. */
import type { JSX } from 'preact';
import { Duration } from '../shell/value.tsx';
import type { StageFigure } from './stage-window.ts';

const WIDTH = 720;
const HEIGHT = 26;

/** Bar of means over one period, and a table with the worst tick of 10 s. */
export function StageBar({ figures }: { readonly figures: readonly StageFigure[] }): JSX.Element {
  const whole = figures.reduce((sum, { mean_s }) => sum + Math.max(0, mean_s), 0);
  let x = 0;
  const parts = figures.map((figure, index) => {
    const width = whole > 0 ? (Math.max(0, figure.mean_s) / whole) * WIDTH : 0;
    const part = { name: figure.name, index, x, width };
    x += width;
    return part;
  });
  return (
    <div class="stages">
      <svg
        class="stage-bar"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {parts.map(({ name, index, x, width }) => (
          <rect
            key={name}
            class={name === 'margin' ? 'spare' : `stage-${index + 1}`}
            x={x}
            width={width}
            y={0}
            height={HEIGHT}
          />
        ))}
      </svg>
      <table>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col" class="number">
              Mean of 1 s
            </th>
            <th scope="col" class="number">
              Worst of 10 s
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure, index) => (
            <tr key={figure.name}>
              <th scope="row">
                <svg class="stage-key" width="12" height="12" aria-hidden="true">
                  <rect
                    class={figure.name === 'margin' ? 'spare' : `stage-${index + 1}`}
                    width="12"
                    height="12"
                  />
                </svg>
                {figure.words}
              </th>
              <td class="number">
                <Duration seconds={figure.mean_s} />
              </td>
              <td class="number">
                <Duration seconds={figure.worst_s} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
