import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DomainCounts } from '../../../src/scheduler/filters/domain-counts.ts';

it('knows the least count of all domains after any changes', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -1, max: 3 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (steps) => {
      const counts = new DomainCounts();
      const plain = new Map<string, number>();
      for (const [domain, delta] of steps) {
        counts.add(domain, delta);
        plain.set(domain, (plain.get(domain) ?? 0) + delta);
        expect(counts.least).toBe(Math.min(...plain.values()));
        expect(counts.of(domain)).toBe(plain.get(domain));
      }
      expect(counts.domains).toBe(plain.size);
    }),
  );
});

it('counts a domain that is not known as 0', () => {
  expect(new DomainCounts().of('a')).toBe(0);
});
