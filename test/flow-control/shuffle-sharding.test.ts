import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealHand, flowHash } from '../../src/flow-control/shuffle-sharding.ts';

describe('shuffle sharding', () => {
  it('deals different queues', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 6 }),
        (hash, queues, handSize) => {
          const size = Math.min(queues, handSize);
          const hand = [...dealHand(hash, queues, size)];
          expect(new Set(hand).size).toBe(size);
          expect(hand.every((queue) => queue < queues)).toBe(true);
        },
      ),
    );
  });

  it('deals every hand equally often', () => {
    const seen = new Map<string, number>();
    for (let hash = 0n; hash < 60n; hash += 1n) {
      const hand = dealHand(hash, 5, 3).join();
      seen.set(hand, (seen.get(hand) ?? 0) + 1);
    }
    expect([...seen.values()]).toEqual(Array.from({ length: 60 }, () => 1));
  });

  it.each([
    [5n, 128, 4, [5, 0, 1, 2]],
    [2n ** 63n + 12_345n, 64, 6, [57, 11, 63, 42, 46, 31]],
    [flowHash('global-default', 'alice'), 128, 6, [55, 62, 126, 125, 105, 1]],
    [flowHash('kube-scheduler', ''), 64, 6, [62, 24, 42, 5, 20, 45]],
  ])('deals as kube-apiserver: %s among %s queues', (hash, queues, handSize, expected) => {
    expect([...dealHand(hash, queues, handSize)]).toEqual(expected);
  });

  it.each([
    ['global-default', 'alice', 17_644_606_172_554_983_095n],
    ['service-accounts', 'system:serviceaccount:a:b', 8_690_863_317_635_817_527n],
    ['kube-scheduler', '', 7_297_130_763_811_322_366n],
  ])('hashes the flow %s %s as kube-apiserver', (schema, distinguisher, expected) => {
    expect(flowHash(schema, distinguisher)).toBe(expected);
  });
});
