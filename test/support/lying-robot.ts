/** The emulated robot with words put into its mouth: what it tells in a STATE is changed before it is sent. */
import type { StateFrame } from '../../hil/protocol/frames.ts';
import type { RobotSession } from '../../hil/protocol/robot-session.ts';
import type { VirtualRig } from './virtual-rig.ts';

/** From now on every STATE passes through `lie`, which may change it, and what the session fills in by itself. */
export function lieInState(
  rig: VirtualRig,
  lie: (state: StateFrame, session: RobotSession) => void,
): void {
  const session = rig.robot?.session;
  if (session === undefined) throw new Error('The rig has no robot');
  const send = session.sendState.bind(session);
  session.sendState = (link, frame) => {
    lie(frame, session);
    return send(link, frame);
  };
}
