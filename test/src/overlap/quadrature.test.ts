/** Gauss–Legendre nodes and weights. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gaussLegendre } from '../../../src/math/quadrature.ts';

test('n nodes integrate powers up to 2 n − 1 and not 2 n', () => {
  for (const count of [1, 2, 3, 5, 8, 16, 24, 64]) {
    const { nodes, weights } = gaussLegendre(count);
    const error = (power: number): number => {
      const exact = power % 2 === 0 ? 2 / (power + 1) : 0;
      return nodes.reduce((sum, x, k) => sum + weights[k] * x ** power, 0) - exact;
    };
    // sums of up to 64 terms below 1: rounding of 1e-15
    for (let power = 0; power < 2 * count; power++) {
      assert.ok(Math.abs(error(power)) < 2e-15, `${count} nodes, power ${power}: ${error(power)}`);
    }
    if (count <= 16) assert.ok(Math.abs(error(2 * count)) > 1e-10, `${count} nodes are no better`);
  }
});

test('nodes rise and are symmetric; three are 0 and ±√0.6 with weights 8/9 and 5/9', () => {
  const { nodes, weights } = gaussLegendre(3);
  const want = [-Math.sqrt(0.6), 0, Math.sqrt(0.6)];
  want.forEach((x, k) => {
    assert.ok(Math.abs(nodes[k] - x) < 2e-16);
    assert.ok(Math.abs(weights[k] - (k === 1 ? 8 : 5) / 9) < 4e-16);
  });
  for (const count of [2, 7, 40]) {
    const rule = gaussLegendre(count);
    for (let k = 0; k < count; k++) {
      assert.equal(rule.nodes[k] + rule.nodes[count - 1 - k], 0);
      assert.ok(k === 0 || rule.nodes[k] > rule.nodes[k - 1]);
      assert.ok(rule.weights[k] > 0);
    }
  }
});

test('the number of nodes is a whole number from 1 to 200', () => {
  for (const count of [0, -3, 2.5, 201, Number.NaN]) {
    assert.throws(() => gaussLegendre(count), { code: 'BERTH_PARAMETER_RANGE' });
  }
});
