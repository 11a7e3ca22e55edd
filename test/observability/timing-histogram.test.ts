import { describe, expect, it } from 'vitest';
import { TimingHistogram } from '../../src/observability/timing-histogram.ts';

describe('TimingHistogram', () => {
  it('weighs values by the time for which they hold', () => {
    let now = 100;
    const histogram = new TimingHistogram([0, 1], () => now);
    expect(histogram.used).toBe(false);
    histogram.set(0, now);
    histogram.set(0.5, 101);
    histogram.set(3, 103);
    now = 106;
    const samples: [string, number, number | undefined][] = [];
    histogram.visit((suffix, value, bound) => samples.push([suffix, value, bound]));
    expect(samples).toEqual([
      ['_bucket', 1e6, 0],
      ['_bucket', 3e6, 1],
      ['_bucket', 6e6, Number.POSITIVE_INFINITY],
      ['_sum', 0.5 * 2e6 + 3 * 3e6, undefined],
      ['_count', 6e6, undefined],
    ]);
    histogram.reset();
    now = 107;
    samples.length = 0;
    histogram.visit((suffix, value, bound) => samples.push([suffix, value, bound]));
    expect(samples.at(-1)).toEqual(['_count', 1e6, undefined]);
  });
});
