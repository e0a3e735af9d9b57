/** `berth replay FILE --realtime`: a recording in the console, at the pace of the run. */
import { PlayedRuntime } from '../../hil/replay/played-runtime.ts';
import type { Recording } from '../../hil/recording/read-recording.ts';
import { buildApp } from '../app.ts';
import { listeningPort } from '../access/upgrade.ts';
import { untilSignal } from './until-signal.ts';

/** Show it until its end and then until a signal. @returns exit code */
export async function playInConsole(
  recording: Recording,
  port: number,
  speed: number,
): Promise<number> {
  const signal = untilSignal();
  const runtime = new PlayedRuntime(recording, speed);
  const settings = structuredClone(recording.facts.settings);
  // Whatever the run was served to, its recording is shown on this machine alone.
  settings.server = { ...settings.server, host: '127.0.0.1', port, keys: {}, origins: [] };
  settings.server.log_level = 'error';
  settings.allow_fault_injection = false;
  settings.audit.enabled = false; // the log of the run is not written on
  const app = await buildApp({ settings, runtime });
  try {
    await app.listen({ host: '127.0.0.1', port });
    console.log(`Recording of ${runtime.scenario} in ${runtime.mode} mode`);
    console.log(`  console  http://localhost:${listeningPort(app)}/   Ctrl-C ends it.`);
    void runtime.ended.then(() => console.log('The recording has ended; its last row stays.'));
    await signal;
  } finally {
    await app.close();
    await runtime.close();
  }
  return 0;
}
