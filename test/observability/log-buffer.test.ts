import { describe, expect, it } from 'vitest';
import { createLogger, matchesWildcards } from '../../src/observability/log.ts';
import { bufferedWriter } from '../../src/observability/log-buffer.ts';
import { MetricsRegistry } from '../../src/observability/metrics.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';

describe('bufferedWriter', () => {
  it('writes when it is full, when its time is over, and when it is closed', () => {
    const written: string[] = [];
    const timers: (() => void)[] = [];
    const clock = {
      after: (_: number, callback: () => void) => {
        timers.push(callback);
        return () => timers.splice(timers.indexOf(callback), 1);
      },
    };
    const buffer = bufferedWriter({ size: 10, interval: 5, clock, write: (text) => written.push(text) });
    buffer.write('12345');
    expect([written, timers.length]).toEqual([[], 1]);
    buffer.write('67890');
    expect([written, timers.length]).toEqual([['1234567890'], 0]);
    buffer.write('a');
    timers[0]!();
    buffer.write('b');
    buffer.close();
    buffer.write('c');
    expect(written).toEqual(['1234567890', 'a', 'b', 'c']);
  });
});

describe('verbosity', () => {
  it('may differ by component and change while the logger is used', () => {
    const lines: string[] = [];
    const verbosity = { verbosity: 0, components: [{ pattern: 'http*', verbosity: 3 }] };
    const logger = createLogger({ format: 'text', verbosity, write: (line) => lines.push(line) });
    logger.detail(3, 'no');
    logger.child('httplog').detail(3, 'yes');
    verbosity.verbosity = 4;
    logger.detail(4, 'now');
    expect(lines.map((line) => line.split('] ')[1])).toEqual(['"yes"\n', '"now"\n']);
  });

  it.each([
    ['*', 'x', true],
    ['http*', 'httplog', true],
    ['*log', 'httplog', true],
    ['h?t*g', 'httplog', true],
    ['http', 'httplog', false],
    ['*a*b', 'xaxbx', false],
    ['', '', true],
  ])('%j matches %j: %j', (pattern, text, matches) => {
    expect(matchesWildcards(pattern, text)).toBe(matches);
  });

  it('may send information to another stream', () => {
    const lines: string[] = [];
    const information: string[] = [];
    const logger = createLogger({
      format: 'json',
      verbosity: 0,
      write: (line) => lines.push(line),
      writeInformation: (line) => information.push(line),
    });
    logger.info('a');
    logger.error('b');
    expect([information.length, lines.length]).toEqual([1, 1]);
  });
});

describe('allowed label values', () => {
  it('replace others', async () => {
    const allowed = new Map([['a_total', new Map([['code', new Set(['200'])]])]]);
    const registry = new MetricsRegistry(() => false, allowed);
    const family = registry.counter({ name: 'a_total', help: 'A.', labels: ['verb', 'code'] });
    family.with('GET', '200').add();
    family.with('GET', '404').add();
    family.with('GET', '500').add();
    expect((await exposition(registry)).split('\n').slice(2)).toEqual([
      'a_total{code="200",verb="GET"} 1',
      'a_total{code="unexpected",verb="GET"} 2',
      '',
    ]);
  });

  it('apply to summaries and histograms over time', async () => {
    const allowed = new Map(['a', 'b'].map((name) => [name, new Map([['code', new Set(['200'])]])]));
    const registry = new MetricsRegistry(() => false, allowed);
    const labels = ['code'];
    registry.summary({ name: 'a', help: 'A.', labels }, 1000).with('404').observe(1);
    registry
      .timingHistogram({ name: 'b', help: 'B.', labels, buckets: [1] })
      .with('404')
      .set(1, 0);
    const text = await exposition(registry);
    expect(text).toContain('a_count{code="unexpected"} 1\n');
    expect(text).toContain('b_count{code="unexpected"}');
    expect(text).toContain('# HELP b EXPERIMENTAL: [ALPHA] B.\n');
    expect(text).not.toContain('"404"');
  });
});
