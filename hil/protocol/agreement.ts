/**
 * What the loop's end decides about a robot that sends HELLO: whether the two can work together, and the CONFIG that they then work
 * under.
 */
import type { Link } from '../contract/link.ts';
import type { Endpoint } from './endpoint.ts';
import { FrameType } from './frames.ts';
import { Capability } from './handshake.ts';
import { RejectCode } from '../contract/reject-codes.ts';
import { LIMIT_FIELDS, type RobotLimits } from '../contract/limit-fields.ts';
import { fieldOffset } from './layout.ts';
import { SERIAL_LOAD_CAP, serialLoad, serialLoadText } from './serial-load.ts';

const CONFIG = FrameType.CONFIG;
const CONFIG_VERSION = fieldOffset(CONFIG, 'version');
const CONFIG_TARE = fieldOffset(CONFIG, 'tare');
const CONFIG_GRAVITY = fieldOffset(CONFIG, 'gravity');
const CONFIG_PERIOD = fieldOffset(CONFIG, 'period');
const CONFIG_TTL_FREE = fieldOffset(CONFIG, 'ttlFree');
const CONFIG_TTL_CONTACT = fieldOffset(CONFIG, 'ttlContact');
const CONFIG_LIMITS = fieldOffset(CONFIG, 'speed');
const CONFIG_SESSION = fieldOffset(CONFIG, 'session');

/** Whether period, line and limits suit; where they do not, the refusal is sent. @param baud of a serial line, else 0 */
export function agreeWithPeer(end: Endpoint, link: Link, period_us: number, baud: number): boolean {
  const rate_Hz = 1e6 / period_us;
  const serial = baud > 0 ? serialLoadText(baud, rate_Hz, end.mayTag) : '';
  if (serial !== '') {
    const load = serialLoad(baud, rate_Hz, end.mayTag);
    end.reject(link, RejectCode.baud, CONFIG, load, SERIAL_LOAD_CAP, serial);
    return false;
  }
  if (period_us < end.peerPeriodMin_us || period_us > end.peerPeriodMax_us) {
    const limit = period_us < end.peerPeriodMin_us ? end.peerPeriodMin_us : end.peerPeriodMax_us;
    const text =
      `period ${period_us} µs: the robot cycles in ${end.peerPeriodMin_us} to ` +
      `${end.peerPeriodMax_us} µs`;
    end.reject(link, RejectCode.period, CONFIG, period_us, limit, text);
    return false;
  }
  return agreeOnLimits(end, link);
}

/** Whether a loop can keep the robot's limits. */
function agreeOnLimits(end: Endpoint, link: Link): boolean {
  for (let i = 0; i < LIMIT_FIELDS.length; i++) {
    const most = end.peerLimits[i];
    if (most > 0) continue; // not so for what is no number
    const text = `HELLO ${LIMIT_FIELDS[i]} ${most}: above 0 is allowed`;
    end.reject(link, RejectCode.limits, FrameType.HELLO, most === most ? most : 0, 0, text);
    return false;
  }
  return true;
}

/** What the loop's end offers. */
export interface ConfigOffer {
  readonly limits: RobotLimits;
  /** Life of a set-point in free space and in contact, ms. */
  readonly ttlFree_ms?: number;
  readonly ttlContact_ms?: number;
}

/**
 * Send CONFIG.
 * @param limits out: those in force from now on, the smaller of both ends, in LIMIT_FIELDS order
 */
export function sendConfig(
  end: Endpoint,
  link: Link,
  offer: ConfigOffer,
  limits: Float64Array,
  session: number,
  period_us: number,
): void {
  const w = end.begin(CONFIG);
  w.u8(CONFIG_VERSION, end.version);
  w.u8(CONFIG_TARE, (end.peerCapabilities & Capability.TARE) === 0 ? 0 : 1);
  w.u8(CONFIG_GRAVITY, (end.peerCapabilities & Capability.GRAVITY_REMOVED) === 0 ? 0 : 1);
  w.u32(CONFIG_PERIOD, period_us);
  w.u16(CONFIG_TTL_FREE, offer.ttlFree_ms ?? 20);
  w.u16(CONFIG_TTL_CONTACT, offer.ttlContact_ms ?? 5);
  for (let i = 0; i < LIMIT_FIELDS.length; i++) {
    limits[i] = Math.min(offer.limits[LIMIT_FIELDS[i]], end.peerLimits[i]);
    w.f32(CONFIG_LIMITS + 4 * i, limits[i]);
  }
  w.u32(CONFIG_SESSION, session);
  end.send(link);
  end.witness(CONFIG);
}
