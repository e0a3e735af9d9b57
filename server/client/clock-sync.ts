/**
 * Offset between the clocks of client and server from request and answer (Cristian 1989). The
 * server read its clock half a round trip before the answer arrived, with an error of at most half
 * the round trip. The shortest of the last round trips counts.
 */

const KEPT = 16;

export class ClockSync {
  readonly #samples: { readonly roundTrip_s: number; readonly offset_s: number }[] = [];
  /** Newest round trip, s; null before the first. */
  roundTrip_s: number | null = null;

  /** Server time less client time, s; null before the first answer. */
  get offset_s(): number | null {
    let best: { roundTrip_s: number; offset_s: number } | null = null;
    for (const sample of this.#samples) {
      if (best === null || sample.roundTrip_s < best.roundTrip_s) best = sample;
    }
    return best?.offset_s ?? null;
  }

  /** Adds one exchange: sent and received by the clock of the client, s, `server_s` by that of the server. */
  add(sent_s: number, server_s: number, received_s: number): void {
    this.roundTrip_s = received_s - sent_s;
    const offset_s = server_s - (sent_s + received_s) / 2;
    this.#samples.push({ roundTrip_s: this.roundTrip_s, offset_s });
    if (this.#samples.length > KEPT) this.#samples.shift();
  }
}
