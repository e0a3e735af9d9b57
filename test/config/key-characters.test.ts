/** Keys are what a header carries unchanged. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyWeakness } from '../../config/key-quality.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { ConfigError } from '../../config/yaml-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-keys-'));
after(() => rmSync(folder, { recursive: true }));

test('60: keys are visible ASCII without blanks, and what is not is refused by the name of its setting', () => {
  const good = 'J7wT2pHq9sVbXz4k';
  assert.equal(keyWeakness(good), null);
  assert.equal(keyWeakness('!J7wT2pHq9sVbXz4k~'), null);
  const bad = [' ', '\t', '\n', '\u00a0', 'ä', '→', '\u007f', '\u0000'];
  for (const sign of bad) {
    for (const key of [good + sign, sign + good, `J7wT2pHq${sign}9sVbXz4k`]) {
      assert.match(keyWeakness(key) ?? '', /visible ASCII; allowed: /, JSON.stringify(key));
    }
  }
  const file = join(folder, 'keys.yaml');
  const keys = `server: { keys: { operator: "${good}", viewer: "${good} " } }\n`;
  writeFileSync(file, `${keys}robot: { key: "${good} mit ä" }\n`, { mode: 0o600 });
  assert.throws(
    () => loadSettings(file),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const texts = error.issues.map(({ message }) => message.slice(0, message.indexOf(' ')));
      assert.deepEqual(texts, ['server.keys.viewer', 'robot.key']);
      return true;
    },
  );
});
