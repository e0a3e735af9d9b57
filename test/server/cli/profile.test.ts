/** Which profile `berth serve` takes: what lateness decides, what `--profile` chooses, and what a settings file keeps. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { defaultSettingsFile, loadSettings } from '../../../config/load-settings.ts';
import { TRY } from '../../../config/profiles.ts';
import type { LatenessReport } from '../../../hil/doctor/lateness.ts';
import { checkSettings } from '../../../hil/threads/check-settings.ts';
import { tryNote, whyNotFull } from '../../../server/cli/profile.ts';
import { readOptions } from '../../../server/cli/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-profile-'));
after(() => rmSync(folder, { recursive: true }));
const own = join(folder, 'own.yaml');
writeFileSync(own, 'server: { port: 0 }\nloop: { period_s: 2 ms }\n');

/** A quiet machine, a second long, with other figures. */
const look = (figures: Partial<LatenessReport>): LatenessReport => ({
  seconds: 1,
  executed: 1000,
  slipped: 0,
  p50_s: 5e-6,
  p99_s: 20e-6,
  p999_s: 60e-6,
  max_s: 90e-6,
  realtime: true,
  reason: '',
  timerSlack_ns: 50_000,
  ...figures,
});

test('a machine holds 1 kHz while no figure is red, and none but p99 yellow', () => {
  assert.equal(whyNotFull(look({})), null);
  assert.equal(whyNotFull(look({ p99_s: 400e-6, p999_s: 500e-6, max_s: 20e-3 })), null);
  // 20 of 1000 periods are 2 %, the edge of the band
  assert.equal(whyNotFull(look({ executed: 980, slipped: 20 })), null);
});

test('each figure alone can say that a machine does not hold 1 kHz', () => {
  assert.equal(whyNotFull(look({ p99_s: 501e-6 }))?.name, 'p99_s');
  assert.equal(whyNotFull(look({ p999_s: 501e-6 }))?.name, 'p999_s');
  assert.equal(whyNotFull(look({ max_s: 26e-3 }))?.name, 'max_s');
  assert.equal(whyNotFull(look({ executed: 979, slipped: 21 }))?.name, 'slippedRatio');
});

test('the worst figure is said, with its value, the profile and the way out of it', () => {
  const reason = whyNotFull(look({ p999_s: 700e-6, executed: 900, slipped: 100 }));
  assert.ok(reason);
  assert.equal(reason.name, 'slippedRatio', 'red before yellow');
  assert.match(tryNote(reason), /drops 10\.0 % of the periods: profile try, 4 ms period/);
  const late = whyNotFull(look({ p999_s: 6.2e-3 }));
  assert.ok(late);
  assert.match(tryNote(late), /wakes the loop 6200 µs late \(p99\.9\): .*--profile full/);
});

test('the settings of profile try pass the check, and change nothing else', () => {
  const { settings, profile } = readOptions(['--profile', 'try']);
  assert.equal(profile, 'try');
  const overrides = Object.entries(TRY).flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => `${part}.${name}=${value}`),
  );
  assert.deepEqual(settings, loadSettings(defaultSettingsFile(), overrides));
  assert.equal(settings.loop.period_s, 0.004);
  assert.equal(settings.operator.input_timeout_s, 0.3);
  checkSettings(settings);
});

test('auto is for the embedded settings and the emulated robot; full is 1 kHz', () => {
  assert.equal(readOptions([]).profile, 'auto');
  assert.deepEqual(readOptions(['--profile', 'full']).settings, loadSettings());
  assert.equal(readOptions(['--no-emulate']).profile, 'full', 'a robot of the user is waited for');
  assert.throws(() => readOptions(['--no-emulate', '--profile', 'try']), /emulated robot only/);
  assert.throws(() => readOptions(['--profile', 'fast']), /auto, full or try, got "fast"/);
});

test('a settings file that is named is never changed', () => {
  const { settings, profile } = readOptions([own]);
  assert.equal(profile, null);
  assert.deepEqual(settings, loadSettings(own));
  assert.throws(() => readOptions([own, '--profile', 'try']), /--profile is for the embedded/);
});
