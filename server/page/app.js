// The status page: two sockets in, one picture out. STOP goes by every way there is.
/* global MessagePack, Strip, STATES, LEVELS, words, cause, norm, fixed, time */
'use strict';

const HZ = 20;
const STRIP_S = 20;
/** Silence after which nothing on the page counts as present, ms. */
const LOST_MS = 1500;
const ANSWER_MS = 2000;
const RETRY_MS = [500, 2000];

const byId = (id) => document.getElementById(id);
let key = '';
let nextId = 1;
let keyNeeded = false;
let newest = null;
let lastMessage_ms = -Infinity;
let lastTick_ms = -Infinity;
let lastTick = -1;
let lost = false;

/** Put text where it belongs; what did not change is not touched, so that nothing is announced twice. */
function put(id, text) {
  const box = byId(id);
  if (box.textContent !== text) box.textContent = text;
}

const notice = (text) => put('notice', text);

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, 'the service does not answer');
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  if (response.ok) throw new Refusal(0, 'the answer of the service broke off');
  throw new Refusal(response.status, answer?.message ?? `${path} answered ${response.status}`);
}

// --- commands -------------------------------------------------------------------------------

function sendOperator(message) {
  if (sockets.operator?.readyState !== WebSocket.OPEN) return;
  sockets.operator.send(MessagePack.encode({ v: 1, id: nextId++, ...message }));
}

/** Over the socket and by request: stopping twice does no harm, stopping never does. */
function stop() {
  sendOperator({ type: 'stop', cat: 1 });
  request('POST', '/api/session/stop', { category: 1 }).then(
    () => notice(''),
    (error) => notice(`STOP was not confirmed (${error.message}). Use the robot’s emergency stop.`),
  );
}

function command(name, title) {
  request('POST', `/api/session/${name}`).then(
    () => notice(''),
    (error) => notice(`${title} failed: ${error.message}`),
  );
}

byId('stop').addEventListener('click', stop);
byId('hold').addEventListener('click', () => command('hold', 'Hold'));
byId('clear').addEventListener('click', () => command('clear', 'Clear'));
document.addEventListener('keydown', (event) => {
  if (event.code !== 'Space' || event.target instanceof HTMLInputElement) return;
  event.preventDefault(); // also keeps a focused button from being pressed by the same key
  if (!event.repeat) stop();
});
document.addEventListener('keyup', (event) => {
  if (event.code === 'Space' && event.target instanceof HTMLButtonElement) event.preventDefault();
});
byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  key = byId('key').value;
  keyNeeded = false;
  notice('');
  connect('operator');
  connect('telemetry');
});

// --- sockets --------------------------------------------------------------------------------

const retry_ms = { operator: RETRY_MS[0], telemetry: RETRY_MS[0] };
const timers = {};
const sockets = {};

async function connect(kind) {
  clearTimeout(timers[kind]);
  const old = sockets[kind];
  sockets[kind] = null; // its end is no reason to connect again
  old?.close();
  const mine = (sockets[kind] = { close: () => undefined }); // a later call takes this one's place
  try {
    const role = kind === 'operator' ? 'operator' : 'viewer';
    const { ticket } = await request('POST', '/api/tickets', { role });
    if (sockets[kind] !== mine) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const address = `${scheme}://${location.host}/${kind}?ticket=${ticket}`;
    const socket = new WebSocket(address, `berth.${kind}.v1`);
    sockets[kind] = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      retry_ms[kind] = RETRY_MS[0];
      if (kind === 'operator') {
        sendOperator({ type: 'hello', client: 'status page' });
      } else {
        notice('');
        const topics = ['state', 'wrench', 'timing', 'contact', 'operator', 'scene'];
        socket.send(MessagePack.encode({ v: 1, type: 'subscribe', id: 0, topics, hz: HZ }));
        askSession();
      }
    };
    socket.onmessage = (event) => receive(MessagePack.decode(new Uint8Array(event.data)));
    socket.onclose = () => {
      if (sockets[kind] !== socket) return;
      if (kind === 'telemetry') lastMessage_ms = -Infinity;
      watch();
      later(kind);
    };
  } catch (error) {
    if (sockets[kind] !== mine) return;
    const refused = error.status === 401 || error.status === 403;
    if (kind === 'telemetry') {
      keyNeeded = error.status === 401;
      if (error.status !== 0 && !keyNeeded) notice(error.message);
    }
    // Asking again with the same key is of no use; a weaker key may look and stop, without the operator socket.
    if (!refused) later(kind);
  }
}

/** Without the operator socket nobody tells what keeps ARM from being accepted: ask. */
function askSession() {
  if (lost || sockets.operator?.readyState === WebSocket.OPEN) return;
  request('GET', '/api/session').then(showSession, () => undefined);
}

function later(kind) {
  timers[kind] = setTimeout(() => connect(kind), retry_ms[kind]);
  retry_ms[kind] = Math.min(RETRY_MS[1], retry_ms[kind] * 2);
}

function receive(message) {
  if (message.type === 'telemetry') take(message);
  else if (message.type === 'status') showSession(message);
  else if (message.type === 'alarm') notice(`Alarm: ${cause(message.code)}`);
}

// --- picture --------------------------------------------------------------------------------

const forceStrip = new Strip(byId('force-strip'), 'N', 10, HZ * STRIP_S);
const lateStrip = new Strip(byId('late-strip'), 'ms', 0.2, HZ * STRIP_S);

for (const name of STATES) {
  const item = document.createElement('li');
  item.textContent = words(name);
  byId('machine').append(item);
}

/** Fill a list; what did not change is not touched. */
function putList(id, items) {
  const list = byId(id);
  if ([...list.children].map((item) => item.textContent).join('|') === items.join('|')) return;
  list.replaceChildren(
    ...items.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
}

/** A message: what must be seen at once is shown at once, the rest when the picture is drawn. */
function take(message) {
  const { state, wrench, peak } = message;
  const now_ms = performance.now();
  lastMessage_ms = now_ms;
  if (state.tick !== lastTick) lastTick_ms = now_ms;
  lastTick = state.tick;
  newest = message;
  message.force = norm(state.mode === 'hardware' ? wrench.measured : wrench.model);
  watch();
  if (lost) return;
  forceStrip.add(message.force);
  lateStrip.add(peak.lateness_s * 1e3);
  tell('scene', message.scene);
  showState(words(state.state), LEVELS[state.state] ?? 'idle', state.state);
  const causes = [...new Set([...state.faults, ...state.holds])].map(cause);
  putList('causes', causes.length === 0 ? ['None.'] : causes);
}

/** What the scene, which is loaded by itself, listens to. */
function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(`berth:${name}`, { detail }));
}

function showState(text, level, name) {
  put('state', text);
  byId('state').dataset.level = level;
  const title = `${text} – Berth`;
  if (document.title !== title) document.title = title;
  if (level === 'good' && byId('notice').textContent.startsWith('Alarm')) notice('');
  [...byId('machine').children].forEach((item, i) => {
    if (STATES[i] === name) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  });
}

function showFigures({ state, wrench, timing, contact, operator, force }) {
  put('force', `${fixed(force, 1)} N`);
  put('contacts', String(contact.active));
  put('penetration', `${fixed(contact.penetration_m * 1e6, 1)} µm`);
  put('measured-force', `${fixed(norm(wrench.measured), 1)} N`);

  const late_ms = lateStrip.worst;
  put('late', `${fixed(late_ms, late_ms < 10 ? 2 : 0)} ms`);
  put('step-time', time(timing.stage_step_s));
  put('send-time', time(timing.stage_tx_s));
  put('margin', time(timing.margin_s));
  put('dropped', timing.slipped_total.toFixed(0));
  put('model-time', `${fixed(state.sim_time_s, 1)} s${state.frozen ? ', frozen' : ''}`);

  const { link } = state;
  put('link-state', link.up ? `up, ${link.quality}` : 'down');
  put('fresh', `${fixed(100 * link.success_ratio, 0)} %`);
  put('state-age', link.up ? `${time(link.state_age_s)}, ${link.state_quality}` : '—');
  put('round-trip', time(link.rtt_s));
  put('loop-delay', `${fixed(link.loop_delay_ticks, 1)} ticks`);

  const rows = {
    setpoint: state.setpoint.position_m,
    measured: state.measured.position_m,
    command: operator.command,
  };
  for (const [id, values] of Object.entries(rows)) {
    const cells = byId(id).querySelectorAll('td');
    cells.forEach((cell, k) => (cell.textContent = fixed(values[k] * 1e3, 3)));
  }

  put('authority', operator.authority === 0 ? 'nobody' : `session ${operator.authority}`);
  put('deadman', operator.deadman ? 'pressed' : 'released');
  put('input-age', time(operator.input_age_s));
}

function showSession(session) {
  put('session', `${session.scenario} · ${session.mode} mode`);
  tell('scenario', session.scenario);
  if (session.authority?.clients !== undefined) put('clients', String(session.authority.clients));
  putList('blockers', session.arm_blockers.length === 0 ? ['Nothing.'] : session.arm_blockers);
}

/** Whether what is shown is present, and if not, why. */
function watch() {
  const now_ms = performance.now();
  const silent = now_ms - lastMessage_ms > LOST_MS;
  const wasLost = lost;
  lost = now_ms > LOST_MS && (silent || now_ms - lastTick_ms > LOST_MS);
  if (wasLost && !lost) {
    forceStrip.clear();
    lateStrip.clear();
  }
  document.body.dataset.lost = String(lost);
  byId('connection').hidden = !lost;
  if (!lost) return;
  if (keyNeeded) byId('key-box').open = true;
  showState('no connection', 'bad', null);
  put('connection', explainLoss(silent));
}

function explainLoss(silent) {
  if (keyNeeded) return 'This service asks for a role key: enter it under Operator.';
  const stop = 'STOP may not reach the robot: use its own emergency stop.';
  if (!silent) return `The loop has stopped; the figures below are its last. ${stop}`;
  const figures = newest === null ? '' : ' The figures below are the last received.';
  return `Connection to the service lost.${figures} ${stop} Connecting again …`;
}

setInterval(watch, 250);
setInterval(() => {
  if (newest !== null) askSession();
}, 1000);
setInterval(() => {
  if (document.hidden) return;
  forceStrip.draw();
  lateStrip.draw();
}, 100);
// Figures that change faster than this cannot be read.
setInterval(() => {
  if (newest !== null && !lost) showFigures(newest);
}, 250);

connect('operator');
connect('telemetry');
