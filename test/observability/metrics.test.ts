import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deprecatedBefore } from '../../src/observability/deprecated-metrics.ts';
import { Counter } from '../../src/observability/metric-cells.ts';
import { Family, OVERFLOW_LABEL } from '../../src/observability/metric-family.ts';
import { MetricsRegistry } from '../../src/observability/metrics.ts';
import { exposition, formatNumber } from '../../src/observability/metrics-exposition.ts';

describe('metrics registry', () => {
  it('counts by label values', () => {
    const family = new MetricsRegistry().counter({
      name: 'requests_total',
      help: 'Requests.',
      labels: ['verb', 'code'],
    });
    family.with('GET', '200').add();
    family.with('GET', '200').add(2);
    family.with('GET', '404').add();
    expect([...family.series()].map(([values, cell]) => [values, (cell as Counter).value])).toEqual([
      [['GET', '200'], 3],
      [['GET', '404'], 1],
    ]);
    expect(() => family.with('GET')).toThrow(TypeError);
  });

  it('accepts label values that are names of Object.prototype members', () => {
    const family = new MetricsRegistry().counter({ name: 'x', help: '', labels: ['a', 'b'] });
    for (const name of ['__proto__', 'constructor', '']) family.with(name, name).add();
    expect([...family.series()].map(([values]) => values[0])).toEqual(['__proto__', 'constructor', '']);
  });

  it('records series beyond the bound in one overflow series', () => {
    const family = new Family({ name: 'x', help: '', labels: ['user'] }, 'counter', () => new Counter(), 2);
    for (const user of ['a', 'b', 'c', 'd', 'a']) family.with(user).add();
    expect([...family.series()].map(([values, cell]) => [values[0], (cell as Counter).value])).toEqual([
      ['a', 2],
      ['b', 1],
      [OVERFLOW_LABEL, 2],
    ]);
  });

  it('removes series by any of their labels', () => {
    const labels = ['verb', 'group', 'resource'];
    const family = new Family({ name: 'x', help: '', labels }, 'counter', () => new Counter(), 5);
    for (const verb of ['GET', 'LIST'])
      for (const resource of ['a', 'b']) family.with(verb, 'g', resource).add();
    family.remove({ group: 'other', resource: 'a' });
    family.remove({ group: 'g', resource: 'a' });
    expect([...family.series()].map(([values]) => values.join(' '))).toEqual(['GET g b', 'LIST g b']);
    family.remove({ resource: 'b' });
    for (const resource of ['c', 'd', 'e', 'f', 'g']) family.with('GET', 'g', resource).add();
    expect([...family.series()]).toHaveLength(5);
  });

  it('removes series by their first label, which makes room for others', () => {
    const labels = ['definition', 'version', 'result'];
    const family = new Family({ name: 'x', help: '', labels }, 'counter', () => new Counter(), 3);
    family.with('a', 'v1', 'true').add();
    family.with('a', 'v2', 'true').add();
    family.with('b', 'v1', 'true').add();
    family.remove({ definition: 'a' });
    family.remove({ definition: 'absent' });
    family.with('c', 'v1', 'true').add();
    family.with('d', 'v1', 'true').add();
    family.with('e', 'v1', 'true').add();
    expect([...family.series()].map(([values]) => values[0])).toEqual(['b', 'c', 'd', OVERFLOW_LABEL]);
  });

  it('refuses to declare a name twice', () => {
    const registry = new MetricsRegistry();
    registry.counter({ name: 'x', help: '' });
    expect(() => registry.gauge({ name: 'x', help: '' })).toThrow(/twice/);
  });

  it('starts again after a reset, in cells kept by callers', async () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter({ name: 'a', help: '', labels: ['l'] }).with('v');
    const open = registry.gauge({ name: 'b', help: '', labels: ['l'] }).with('v');
    const seen = registry.gauge({ name: 'aa', help: '', labels: ['l'] }).with('v');
    const histogram = registry.histogram({ name: 'c', help: '', labels: ['l'], buckets: [1] }).with('v');
    counter.add(5);
    open.add(1);
    seen.set(1);
    histogram.observe(2);
    registry.reset();
    open.add(1);
    expect(await exposition(registry)).not.toMatch(/^[ac]/m);
    counter.add();
    histogram.observe(0.5);
    const text = await exposition(registry);
    expect(text).toContain('a{l="v"} 1\n');
    // The gauge of open items is kept: it must never drop below zero.
    expect(text).toContain('b{l="v"} 2\n');
    expect(text).toContain('c_sum{l="v"} 0.5\n');
  });
});

describe('exposition', () => {
  it('writes metrics by name, series by labels, labels by name', async () => {
    const registry = new MetricsRegistry();
    const sizes = registry.histogram({
      name: 'size_bytes',
      help: 'Size.',
      stability: 'STABLE',
      labels: ['verb', 'group'],
      buckets: [0.5, 1, 1e6],
    });
    for (const size of [0.5, 0.7, 2, 3e6]) sizes.with('GET', 'apps').observe(size);
    const counted = registry.counter({
      name: 'counted_total',
      help: 'A \\ and\na line.',
      stability: '',
      labels: ['l'],
    });
    counted.with('z').add();
    counted.with('a"\\\n').add();
    registry.gauge({ name: 'plain', help: 'Plain.' });
    expect(await exposition(registry)).toBe(
      [
        '# HELP counted_total A \\\\ and\\na line.',
        '# TYPE counted_total counter',
        'counted_total{l="a\\"\\\\\\n"} 1',
        'counted_total{l="z"} 1',
        '# HELP plain [ALPHA] Plain.',
        '# TYPE plain gauge',
        'plain 0',
        '# HELP size_bytes [STABLE] Size.',
        '# TYPE size_bytes histogram',
        'size_bytes_bucket{group="apps",verb="GET",le="0.5"} 1',
        'size_bytes_bucket{group="apps",verb="GET",le="1"} 2',
        'size_bytes_bucket{group="apps",verb="GET",le="1e+06"} 3',
        'size_bytes_bucket{group="apps",verb="GET",le="+Inf"} 4',
        'size_bytes_sum{group="apps",verb="GET"} 3.0000032e+06',
        'size_bytes_count{group="apps",verb="GET"} 4',
        '',
      ].join('\n'),
    );
  });

  it('reads observed values at each scrape, and omits failed ones', async () => {
    const registry = new MetricsRegistry();
    let value = 1;
    registry.observe({ name: 'a', help: '', labels: ['l'] }, 'gauge', async () => [[['x'], value]]);
    registry.observe({ name: 'b', help: '' }, 'gauge', () => {
      throw new Error('gone');
    });
    registry.observe({ name: 'c', help: '' }, 'counter', () => [[[], 7]]);
    value = 2;
    const text = await exposition(registry);
    expect(text).toContain('a{l="x"} 2\n');
    expect(text).not.toMatch(/^b/m);
    expect(text).toContain('\nc 7\n');
  });

  it('hides metrics deprecated in earlier releases, and marks visible deprecated ones', async () => {
    const names = async (hides?: ReturnType<typeof deprecatedBefore>) => {
      const registry = new MetricsRegistry(hides);
      registry.counter({ name: 'old', help: 'Old.', deprecatedSince: '1.31.0' });
      registry.counter({ name: 'older', help: 'Older.', deprecatedSince: '1.9.0' });
      registry.counter({ name: 'lately', help: 'Lately.', deprecatedSince: '1.32.0' });
      return (await exposition(registry)).split('\n').filter((line) => line.startsWith('# HELP'));
    };
    expect(await names(deprecatedBefore(1, 32))).toEqual([
      '# HELP lately [ALPHA] (Deprecated since 1.32.0) Lately.',
    ]);
    expect(await names()).toHaveLength(3);
  });

  it('writes numbers as kube-apiserver does', () => {
    const formatted = new Map([
      [0, '0'],
      [1, '1'],
      [0.005, '0.005'],
      [0.0001, '0.0001'],
      [0.00001, '1e-05'],
      [999999, '999999'],
      [1e6, '1e+06'],
      [4964352, '4.964352e+06'],
      [-2e9, '-2e+09'],
      [1e100, '1e+100'],
      [Infinity, '+Inf'],
      [-Infinity, '-Inf'],
      [Number.NaN, 'NaN'],
    ]);
    for (const [value, text] of formatted) expect(formatNumber(value)).toBe(text);
  });

  it('writes numbers that round-trip', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => Number(formatNumber(value)) === value,
      ),
    );
  });
});
