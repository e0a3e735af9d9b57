/** docs/benchmarks.md, from the runs that are kept. */
import type { Baseline } from './baseline.ts';
import { engineTable, engineWords, growthTable, peerCases, summaryTable } from './report.ts';

const LINE = 150;

/** An item of a list, its words on lines that are not too long. */
function item(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + word.length >= LINE) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `- ${lines.join('\n  ')}`;
}

function section({ machine, rounds, load, cases }: Baseline): string {
  const compared = peerCases(cases).filter(({ scene }) => !/^(free|virtual) /.test(scene));
  return `## ${machine.cpu}

${machine.cores} cores, ${machine.system}, Node ${machine.node}; one pinned core, medians of ${rounds} rounds in turns, load ${load} before.

${summaryTable(cases, false)}

${growthTable(cases, false)}

### What each engine computes

${engineWords(compared).map(item).join('\n')}

### Engine by engine

${compared.map((one) => engineTable(one, false)).join('\n\n')}
`;
}

/** Text of the page. */
export function benchmarkPage(baselines: readonly Baseline[]): string {
  return `# Benchmarks of the contact step

\`npm run build && npm run bench:step -- --peers --write\` measures and writes this page and the figures of the machine in
\`bench/baselines/\`. Do not edit it: a test compares the two. \`--compare\` says what got slower than the figures that are kept.

- A figure is processor time of a step of 1 ms, µs, all threads of the process: its compilers and collectors count.
- **alone** is a process that has run nothing else. **After others** is one that ran other scenes before: V8 then has seen other types.
- Every engine with every scene has processes of its own. They take turns of about 5 ms, so that what the machine does meets all of them.
- **Wrong** is what was thrown off, creeps by more than 1 mm/s, or is off by more than a fifth: it is no peer to compare with.
- **Ratio** is the slower of Berth's two figures over the figure alone of the fastest peer that is not wrong.
- **Spread** is half the distance of the quartiles over the median.
- What came out: \`e\` and the height of the fourth bounce against 0.5 · 0.8^8 m; for a body at rest the way it sank
  from its start (1 mm over the plane and in the receptacle), then drift along gravity and creep across it, each from 1 s to 2 s → from 2 s to 3 s
  (single precision cannot show less than its last digit); for a body that slides its mean acceleration over that of Coulomb friction, from 0.1 s
  to 0.15 s after the push, which is timed and judged → from there to 0.3 s.
- Drift of Berth with 40 pairs and with the torus is settling. Both begin where they touch; a contact that began at v_i is damped by A = d(e)/(e v_i)
  and reaches its depth δ in about A δ: 0.3 s and 1 s here. \`npx tsx --test test/bench/step/settling.test.ts\` holds the rate to the closed
  form, and what is left after 8 s below 1e-12 m/s. The error-controlled run (\`dormand-prince\`) settles the same: the torus sinks at 607.6, 266.2 and
  144.4 µm/s after 0.5, 1 and 1.5 s, this step at 604.7, 265.3 and 143.9. The 40 pairs creep while they sink, in it as here.
- Sliding, Berth is **wrong** where it is timed: with 40 pairs the inner faces of cells brake
  ([volumetric contact](theory/volumetric-contact.md#the-contact-normal); one pair has 1.000), and the push makes the box rock in its receptacle,
  with fine steps as with these.
- The engines do not compute the same thing. Points have no patch, so no spin friction; none of the peers has presliding or dwell;
  a constraint has no stiffness. [performance.md](performance.md#a-box-in-a-receptacle-in-other-engines) shows what that means.

${baselines.map(section).join('\n')}`;
}
