/** A misspelt command or option: one line with what was written, and what is near or allowed. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { optionsOf } from '../../../server/cli/option-words.ts';
import { runCommand } from '../../../server/cli/run-command.ts';

async function refusal(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const error = mock.method(console, 'error', (line: string) => void lines.push(line));
  try {
    assert.equal(await runCommand(argv), 2);
  } finally {
    error.mock.restore();
  }
  assert.equal(lines.length, 1);
  return lines[0];
}

const SAID: readonly (readonly [command: string, sentence: string])[] = [
  ['simulatee', 'berth: no command is named "simulatee"; did you mean simulate or emulate?'],
  ['serve --modee virtual', 'berth serve: --modee is no option; did you mean --mode?'],
  ['simulate x --untill 2s', 'berth simulate: --untill is no option; did you mean --until?'],
  ['emulate --pttty', 'berth emulate: --pttty is no option; did you mean --pty?'],
  ['export x --colums=a', 'berth export: --colums is no option; did you mean --columns?'],
  ['pin --remov x', 'berth pin: --remov is no option; did you mean --remove?'],
  ['audit --quick', 'berth audit: --quick is no option; allowed: none'],
  ['simulate x --until', 'berth simulate: --until has no value; write --until VALUE'],
  ['replay --realtime=1 x', 'berth replay: --realtime takes no value; write --realtime alone'],
  [
    'simulate x --until --every 1ms',
    'berth simulate: --until has no value before the next option; write --until=VALUE for one that begins with "-"',
  ],
  ['doctor now', 'berth doctor: "now" is no option; allowed: --seconds, --priority, --json'],
];

for (const [command, sentence] of SAID) {
  test(`berth ${command}`, async () =>
    assert.equal(await refusal(...command.split(' ')), sentence));
}

test('a command that is like no other: all of them', async () => {
  const line = await refusal('levitate');
  assert.match(line, /no command is named "levitate"; there are serve, simulate, .*validate\.$/);
});

test('options of other commands in quotes are none of a usage', () => {
  assert.deepEqual(optionsOf('  -o, --output FILE  see "berth x --list"\n  --no-fly, --demo'), [
    '--output',
    '--no-fly',
    '--demo',
  ]);
});
