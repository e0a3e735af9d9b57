/**
 * `berth fly`: a scripted flight over the real operator socket. Waits until the loop is ready, presses the deadman, arms, flies a
 * script of the user's, or what the scenario is for (an insertion, or an approach to contact), and lets go.
 */
import { parseArgs } from 'node:util';
import { type FlightPlan, flightNames, isFlightFile, loadFlight } from '../../config/flight.ts';
import { BerthError } from '../../src/base/errors.ts';
import { OperatorClient, type Welcome } from '../client/node.ts';
import { ApproachFlight } from './approach-flight.ts';
import { type Flight, OTHER_ROBOT } from './flight.ts';
import { ScriptedFlight } from './scripted-flight.ts';
import { readTrust, TRUST_OPTIONS } from './trust.ts';

export const usage = `Usage: berth fly [--url URL] [--key KEY] [--ca FILE] [--hold S] [--script NAME|FILE] [--repeat] [--persist]

Flies the simulated arm by a script: to contact or into its seat and out again, or as a file of yours
says, speaking to a running service as a hand controller would. Exit 1 when the goal is not reached.

  --url URL      address of the service (default http://127.0.0.1:7410)
  --key KEY      operator key, when the service asks for one (default: BERTH_KEY)
  --ca FILE      what is trusted of an https service, PEM: a root, or its own certificate
  --certificate FILE, --certificate-key FILE
                 certificate of this client and its key, where server.tls.client_certificates asks for one
  --hold S       seconds to stay at the plateau, or in the step of a script that is its goal
                 (default: 5, or what the script says)
  --script NAME|FILE
                 approach, a flight of config/flights, or a YAML file of your own (docs/scripted-flights.md);
                 default: the flight with the name of the scenario, else insertion where it has one
  --repeat       fly again after each flight
  --persist      after a hold or fault: recover, and fly again (demonstrations only)
  --emulated     fly the emulated robot that the service started itself, and no other (serve's demo);
                 without it whatever robot is connected is flown
  --yield        let whoever asks for authority have it, and end (serve's demo)`;

/** Recoveries with --persist since a flight last came to what it is for. */
const RECOVERIES = 50;
/** Close code of a service that ends (RFC 6455). */
const GOING_AWAY = 1001;
/** The script that is no file: its speeds follow from the gears of the service. */
const APPROACH = 'approach';
/** What is flown where the scenario has an insertion. */
const INSERTION = 'insertion';
/** Stay at the plateau without --hold, s. */
const STAY_S = 5;

/** The plan of --script; null for none and for the approach. @throws BerthError with what is wrong, and where in the file */
export function flightPlanOf(script: string | undefined): FlightPlan | null {
  if (script === undefined || script === APPROACH) return null;
  if (isFlightFile(script)) return loadFlight(script);
  const names = [APPROACH, ...flightNames()];
  if (names.includes(script)) return loadFlight(script);
  const text = `--script must be ${names.join(' or ')}, got "${script}"; one of your own is a YAML file.`;
  throw new BerthError('BERTH_USAGE', text);
}

/** What is flown without --script: the flight that has the name of the scenario, or the insertion; null for the approach. */
function usualPlan({
  scenario,
  insertion,
}: Pick<Welcome, 'scenario' | 'insertion'>): FlightPlan | null {
  if (flightNames().includes(scenario)) return loadFlight(scenario);
  return insertion === null ? null : loadFlight(INSERTION);
}

/** @throws BerthError, the connection closed, when the service cannot fly the plan */
function makeFlight(
  client: OperatorClient,
  signal: AbortSignal,
  plan: FlightPlan | null,
  hold_s: number | null,
): Flight {
  if (plan === null) return new ApproachFlight(client, signal);
  try {
    return new ScriptedFlight(client, signal, plan, hold_s);
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Run the command. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:7410' },
      key: { type: 'string', default: process.env['BERTH_KEY'] ?? '' },
      ...TRUST_OPTIONS,
      hold: { type: 'string' },
      script: { type: 'string' },
      repeat: { type: 'boolean', default: false },
      persist: { type: 'boolean', default: false },
      emulated: { type: 'boolean', default: false },
      yield: { type: 'boolean', default: false },
    },
  });
  const hold_s = values.hold === undefined ? null : Number(values.hold);
  if (hold_s !== null && !(hold_s >= 0 && hold_s < 1e6)) {
    throw new BerthError('BERTH_USAGE', `--hold must be 0 … 1000000 s, got "${values.hold}".`);
  }
  if (!URL.canParse(values.url)) {
    throw new BerthError('BERTH_USAGE', `--url must be an address, got "${values.url}".`);
  }
  const plan = flightPlanOf(values.script);
  const tls = readTrust(values);
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // The reader of the output may end before this process.
  process.stdout.on('error', stop);
  try {
    const client = await OperatorClient.connect({
      url: values.url,
      key: values.key,
      ...(tls === undefined ? {} : { tls }),
      name: 'berth fly',
    }).catch((error: unknown) => {
      if (abort.signal.aborted) return null;
      throw error;
    });
    if (client === null) {
      console.log('fly: let go');
      return 1;
    }
    let asking = 0;
    if (values.yield) {
      client.on('authority.request', ({ session }) => {
        asking = session;
        stop();
      });
    }
    client.startInputs();
    const chosen = plan ?? (values.script === undefined ? usualPlan(client.welcome) : null);
    const flight = makeFlight(client, abort.signal, chosen, hold_s);
    flight.emulatedOnly = values.emulated;
    let recoveries = 0;
    let reached = false;
    const fly = async (): Promise<string | null> => {
      flight.reached = false;
      const why = await flight.once(hold_s ?? STAY_S);
      if (flight.reached) recoveries = 0;
      reached ||= flight.reached;
      return why;
    };
    let reason = await fly();
    while (recoveries < RECOVERIES) {
      if (abort.signal.aborted || client.closed) break;
      if (reason === null && values.repeat) {
        reason = await fly();
        continue;
      }
      if (reason === null || !values.persist) break;
      if (flight.isOtherRobotConnected()) {
        reason = OTHER_ROBOT;
        break;
      }
      recoveries++;
      console.log(`fly: ${reason} Recovering.`);
      if (!(await flight.recover())) {
        reason = flight.isOtherRobotConnected()
          ? OTHER_ROBOT
          : 'Stopped by a person; not flown again.';
        break;
      }
      reason = await fly();
    }
    if (!flight.isOtherRobotConnected()) await flight.end();
    client.close();
    if (asking !== 0) console.log(`fly: session ${asking} asked for the arm and has it; let go`);
    else if (abort.signal.aborted) console.log('fly: let go');
    else if (client.closeReason?.code === GOING_AWAY) console.log('fly: the service has ended');
    else if (reason !== null) console.error(`berth fly: ${reason}`);
    else console.log('fly: done');
    return reached ? 0 : 1;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
