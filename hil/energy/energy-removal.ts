/**
 * Takes kinetic energy out of a twist along a wrench direction n (docs/theory/loop-energy.md, Passivity guard). A body with the
 * inverse inertia M⁻¹ that gets the impulse −λ n loses
 *
 *   D = λ n·V − ½ λ² n'M⁻¹n,  so  λ = 2 D / (n·V + sgn(n·V) √((n·V)² − 2 D n'M⁻¹n)),  V ← V − λ M⁻¹ n
 *
 * (`hil-anchors 3`, remedy a, in the form without cancellation). Along n there is (n·V)²/(2 n'M⁻¹n) and no more: momentum that no
 * impulse along n can change stays. The length of n does not matter.
 */
import { dot6, multiply6 } from './sextuple.ts';

/** Cells of an EnergyRemoval. */
export const RemovalCell = Object.freeze({
  /** In: energy to take, J. */
  ASKED: 0,
  /** In: largest share of the energy along n to take at once. */
  SHARE: 1,
  /** Out: energy taken, J. */
  REMOVED: 2,
  /** Out: λ, in N s when n is one newton long. */
  IMPULSE: 3,
});
const { ASKED, SHARE, REMOVED, IMPULSE } = RemovalCell;

/** Removes kinetic energy from a twist along one wrench direction. */
export class EnergyRemoval {
  readonly cells: Float64Array = new Float64Array(4);
  private readonly response = new Float64Array(6);
  /** [n·V, n'M⁻¹n] */
  private readonly products = new Float64Array(2);

  /** Changes the twist. @alloc none */
  remove(twist: Float64Array, direction: Float64Array, inverseMass: Float64Array): void {
    const { cells, response } = this;
    cells[REMOVED] = 0;
    cells[IMPULSE] = 0;
    multiply6(response, inverseMass, direction);
    dot6(this.products, 0, direction, twist);
    dot6(this.products, 1, direction, response);
    const a = this.products[0];
    const c = this.products[1];
    if (!(c > 0) || a === 0) return; // a stiff direction has nothing to give
    const most = (cells[SHARE] * a * a) / (2 * c);
    const asked = cells[ASKED];
    const d = asked < most ? asked : most;
    const rest = a * a - 2 * d * c;
    const root = rest > 0 ? Math.sqrt(rest) : 0;
    const impulse = (2 * d) / (a > 0 ? a + root : a - root);
    for (let i = 0; i < 6; i++) twist[i] -= impulse * response[i];
    cells[REMOVED] = d;
    cells[IMPULSE] = impulse;
  }
}
