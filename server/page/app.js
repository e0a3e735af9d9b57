// The status page: two sockets in, one picture out. STOP goes by every way there is.
/* global MessagePack */
'use strict';

const STATES = [
  'OFFLINE',
  'CONNECTING',
  'SYNCED',
  'MONITOR_WAIT',
  'MONITOR_READY',
  'ARMING',
  'ACTIVE_FREE',
  'ACTIVE_CONTACT',
  'HOLD',
  'STOPPING',
  'FAULT',
  'ESTOP',
];
const LEVELS = {
  MONITOR_READY: 'good',
  ACTIVE_FREE: 'good',
  ACTIVE_CONTACT: 'good',
  ARMING: 'warn',
  HOLD: 'warn',
  STOPPING: 'warn',
  FAULT: 'bad',
  ESTOP: 'bad',
};
const HZ = 20;
const STRIP_S = 20;

const byId = (id) => document.getElementById(id);
let key = '';
let operatorSocket = null;
let nextId = 1;
let authority = null;
let lastMessage_ms = 0;

const headers = () => ({
  'content-type': 'application/json',
  ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
});

function notice(text) {
  const box = byId('notice');
  box.hidden = text === '';
  if (box.textContent !== text) box.textContent = text;
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `${path} answered ${response.status}`);
  return answer;
}

// --- commands -------------------------------------------------------------------------------

function sendOperator(message) {
  if (operatorSocket?.readyState !== WebSocket.OPEN) return false;
  operatorSocket.send(MessagePack.encode({ v: 1, id: nextId++, ...message }));
  return true;
}

/** Over the socket and by request: stopping twice does no harm, stopping never does. */
function stop() {
  sendOperator({ type: 'stop', cat: 1 });
  post('/api/session/stop', { category: 1 }).catch((error) => notice(`STOP: ${error.message}`));
}

function command(name) {
  fetch(`/api/session/${name}`, {
    method: 'POST',
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  })
    .then(async (response) => notice(response.ok ? '' : (await response.json()).message))
    .catch((error) => notice(error.message));
}

byId('stop').addEventListener('click', stop);
byId('hold').addEventListener('click', () => command('hold'));
byId('clear').addEventListener('click', () => command('clear'));
document.addEventListener('keydown', (event) => {
  if (event.code !== 'Space' || event.repeat || event.target instanceof HTMLInputElement) return;
  event.preventDefault(); // also keeps a focused button from being pressed by the same key
  stop();
});
document.addEventListener('keyup', (event) => {
  if (event.code === 'Space' && event.target instanceof HTMLButtonElement) event.preventDefault();
});
byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  key = byId('key').value;
  notice('');
  connect('operator');
  connect('telemetry');
});

// --- sockets --------------------------------------------------------------------------------

const retry_ms = { operator: 500, telemetry: 500 };
const timers = {};
const sockets = {};

async function connect(kind) {
  clearTimeout(timers[kind]);
  sockets[kind]?.close();
  try {
    const role = kind === 'operator' ? 'operator' : 'viewer';
    const { ticket } = await post('/api/tickets', { role });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const address = `${scheme}://${location.host}/${kind}?ticket=${ticket}`;
    const socket = new WebSocket(address, `berth.${kind}.v1`);
    sockets[kind] = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      retry_ms[kind] = 500;
      notice('');
      if (kind === 'operator') {
        operatorSocket = socket;
        sendOperator({ type: 'hello', client: 'status page' });
      } else {
        const topics = ['state', 'wrench', 'timing', 'contact', 'operator'];
        socket.send(MessagePack.encode({ v: 1, type: 'subscribe', id: 0, topics, hz: HZ }));
      }
    };
    socket.onmessage = (event) => receive(MessagePack.decode(new Uint8Array(event.data)));
    socket.onclose = () => {
      if (sockets[kind] === socket) later(kind);
    };
  } catch (error) {
    if (kind === 'telemetry') notice(error.message);
    later(kind);
  }
}

function later(kind) {
  timers[kind] = setTimeout(() => connect(kind), retry_ms[kind]);
  retry_ms[kind] = Math.min(8000, retry_ms[kind] * 2);
}

function receive(message) {
  if (message.type === 'telemetry') show(message);
  else if (message.type === 'status') showStatus(message);
  else if (message.type === 'alarm') notice(`Alarm: ${words(message.code)}`);
}

// --- picture --------------------------------------------------------------------------------

const words = (name) => name.toLowerCase().replaceAll('_', ' ');
const norm = (v) => Math.hypot(v[0], v[1], v[2]);
const time = (s) =>
  s === null
    ? '—'
    : s < 1e-3
      ? `${(s * 1e6).toFixed(0)} µs`
      : s < 1
        ? `${(s * 1e3).toFixed(1)} ms`
        : `${s.toFixed(1)} s`;

function fillList(id, pairs) {
  const list = byId(id);
  const entries = Object.entries(pairs);
  while (list.children.length < entries.length * 2) {
    list.append(document.createElement(list.children.length % 2 === 0 ? 'dt' : 'dd'));
  }
  entries.forEach(([name, value], i) => {
    list.children[2 * i].textContent = name;
    list.children[2 * i + 1].textContent = value;
  });
}

for (const name of STATES) {
  const item = document.createElement('li');
  item.textContent = words(name);
  byId('machine').append(item);
}

class Strip {
  constructor(id, unit, least) {
    this.canvas = byId(id);
    this.unit = unit;
    this.least = least;
    this.values = new Float64Array(HZ * STRIP_S);
    this.next = 0;
  }

  add(value) {
    this.values[this.next++ % this.values.length] = value;
  }

  draw() {
    const { canvas, values } = this;
    const ratio = devicePixelRatio;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    const style = getComputedStyle(document.documentElement);
    pen.scale(ratio, ratio);
    const top = Math.max(this.least, ...values);
    const unit = 10 ** Math.floor(Math.log10(top));
    const step = [0.2, 0.5, 1, 2, 5].map((f) => f * unit).find((s) => top / s <= 4.5) ?? top;
    const scale = (height - 12) / (top * 1.08);
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = style.getPropertyValue('--quiet');
    pen.strokeStyle = style.getPropertyValue('--line');
    for (let level = 0; level <= top; level += step) {
      const y = height - 6 - level * scale;
      pen.beginPath();
      pen.moveTo(0, y);
      pen.lineTo(width, y);
      pen.stroke();
      pen.fillText(`${Number(level.toPrecision(3))} ${this.unit}`, 2, y - 2);
    }
    pen.strokeStyle = style.getPropertyValue('--trace');
    pen.lineWidth = 1.5;
    pen.beginPath();
    const count = Math.min(this.next, values.length);
    for (let i = 0; i < count; i++) {
      const value = values[(this.next - count + i) % values.length];
      const x = width - ((count - 1 - i) / (values.length - 1)) * width;
      pen.lineTo(x, height - 6 - value * scale);
    }
    pen.stroke();
  }
}
const forceStrip = new Strip('force-strip', 'N', 10);
const lateStrip = new Strip('late-strip', 'ms', 0.2);

function show({ state, wrench, timing, contact, operator, peak }) {
  lastMessage_ms = performance.now();
  const label = byId('state');
  const name = words(state.state);
  if (label.textContent !== name) label.textContent = name;
  label.dataset.level = LEVELS[state.state] ?? 'idle';
  if (label.dataset.level === 'good' && byId('notice').textContent.startsWith('Alarm')) notice('');
  [...byId('machine').children].forEach((item, i) => {
    if (STATES[i] === state.state) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  });
  const causes = [...state.faults, ...state.holds].map(words);
  byId('causes').textContent = causes.length === 0 ? 'none' : [...new Set(causes)].join(', ');

  const force = norm(state.mode === 'hardware' ? wrench.measured : wrench.model);
  byId('force').textContent = `${force.toFixed(1)} N`;
  forceStrip.add(force);
  forceStrip.draw();
  fillList('contact', {
    Contacts: `${contact.active} of ${contact.count}`,
    Penetration: `${(contact.penetration_m * 1e6).toFixed(2)} µm`,
    'Measured force': `${norm(wrench.measured).toFixed(1)} N`,
  });

  lateStrip.add(peak.lateness_s * 1e3);
  byId('late').textContent = `${Math.max(...lateStrip.values).toFixed(2)} ms`;
  lateStrip.draw();
  fillList('timing', {
    'Step of the model': time(timing.stage_step_s),
    'Set-point sent after': time(timing.stage_tx_s),
    'Spare in the tick': time(timing.margin_s),
    'Periods dropped': timing.slipped_total.toFixed(0),
    'Model time': `${state.sim_time_s.toFixed(1)} s${state.frozen ? ', frozen' : ''}`,
  });

  const { link } = state;
  fillList('link', {
    Link: link.up ? `up, ${link.quality}` : 'down',
    'Fresh in the last 100': `${(100 * link.success_ratio).toFixed(0)} %`,
    'Age of the state': `${time(link.state_age_s)}, ${link.state_quality}`,
    'Round trip': time(link.rtt_s),
    'Loop delay': `${link.loop_delay_ticks.toFixed(1)} ticks`,
  });

  const rows = {
    'Set-point, mm': state.setpoint.position_m.map((v) => v * 1e3),
    'Measured, mm': state.measured.position_m.map((v) => v * 1e3),
    'Command, mm/s': operator.command.slice(0, 3).map((v) => v * 1e3),
  };
  const body = byId('pose');
  Object.entries(rows).forEach(([title, values], i) => {
    const row = body.rows[i] ?? body.insertRow();
    if (row.cells.length === 0) {
      const head = document.createElement('th');
      head.scope = 'row';
      head.textContent = title;
      row.append(head);
      for (let k = 0; k < 3; k++) row.insertCell();
    }
    values.forEach((value, k) => (row.cells[k + 1].textContent = value.toFixed(3)));
  });

  fillList('operator', {
    Authority: operator.authority === 0 ? 'nobody' : `session ${operator.authority}`,
    Clients: authority === null ? '—' : String(authority.clients),
    Deadman: operator.deadman ? 'pressed' : 'released',
    'Age of the input': time(operator.input_age_s),
  });
}

function showStatus(status) {
  authority = status.authority;
  byId('session').textContent = `${status.scenario} · ${status.mode} mode`;
  const list = byId('blockers');
  const blockers = status.arm_blockers.length === 0 ? ['Nothing.'] : status.arm_blockers;
  if (list.dataset.text === blockers.join()) return;
  list.dataset.text = blockers.join();
  list.replaceChildren(
    ...blockers.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
}

setInterval(() => {
  if (performance.now() - lastMessage_ms < 1500) return;
  byId('state').textContent = 'no data';
  byId('state').dataset.level = 'bad';
}, 500);

connect('operator');
connect('telemetry');
