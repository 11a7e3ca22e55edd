import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturallySorted } from '../../src/codec/natural-order.ts';
import { runNow } from '../../src/steps/run.ts';

/** The order, character by character. */
function compare(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  for (let at = 0; at < a.length && at < b.length; at++) {
    const x = a[at]!;
    const y = b[at]!;
    if (x === y) continue;
    const letters = [x, y].map((character) => /\p{L}/u.test(character));
    const points = x.codePointAt(0)! - y.codePointAt(0)!;
    if (letters[0] && letters[1]) return points;
    if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
    const before = /[0-9]*$/.exec(a.slice(0, at).join(''))![0];
    const lead = (x === '0' || y === '0') && /[1-9]/.test(before) ? '1' : '';
    const [m, n] = [a, b].map((key) => /^[0-9]*/.exec(key.slice(at).join(''))![0]) as [string, string];
    const [p, q] = [BigInt(lead + m), BigInt(lead + n)];
    return p === q ? m.length - n.length || points : p < q ? -1 : 1;
  }
  return a.length - b.length;
}

describe('naturallySorted', () => {
  it('sorts as kube-apiserver', () => {
    const key = fc
      .array(fc.constantFrom('a', 'B', '0', '1', '9', '10', '-', '.', '_', 'é', 'ж', '😀', '😁', '𝒜'), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
        expect(runNow(naturallySorted(keys))).toEqual([...keys].sort(compare));
      }),
      { numRuns: 3000 },
    );
  });

  it('pauses between the steps of many keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${(index * 7919) % 20_000}`);
    let steps = 0;
    const sorting = naturallySorted(keys);
    let step = sorting.next();
    for (; step.done !== true; step = sorting.next()) steps++;
    expect(steps).toBeGreaterThan(8);
    expect(step.value).toEqual(keys.map((_, index) => `k${index}`));
  });
});
