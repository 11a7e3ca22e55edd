import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/log.ts';

function logger(format: 'text' | 'json', verbosity = 0) {
  const lines: string[] = [];
  return {
    lines,
    log: createLogger({
      format,
      verbosity,
      write: (line) => lines.push(line),
      now: () => new Date(2026, 0, 2, 15, 4, 5, 67),
    }),
  };
}

describe('log', () => {
  it('writes lines of text', () => {
    const { log, lines } = logger('text');
    log.info('ready', { port: 6443, name: 'a "b"', absent: undefined, list: ['x'] });
    log.child('storage', { store: 'embedded' }).warn('slow');
    log.error('failed', { err: new Error('no\nway') });
    expect(lines.map((line) => line.replace(/ +\d+ (?=\w+\])/, ' PID '))).toEqual([
      'I0102 15:04:05.067000 PID binnacle] "ready" port=6443 name="a \\"b\\"" list="[\\"x\\"]"\n',
      'W0102 15:04:05.067000 PID storage] "slow" store="embedded"\n',
      'E0102 15:04:05.067000 PID binnacle] "failed" err=<\n\tno\n\tway\n >\n',
    ]);
  });

  it('writes JSON for any field values', () => {
    const { log, lines } = logger('json', 4);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    log.detail(4, 'seen', { size: 2n ** 60n, msg: 'not this', err: new Error('x') });
    log.error('odd', { circular });
    expect(JSON.parse(lines[0]!)).toEqual({
      ts: expect.any(Number),
      level: 'info',
      logger: 'binnacle',
      msg: 'seen',
      v: 4,
      size: '1152921504606846976',
      err: 'x',
    });
    expect(() => JSON.parse(lines[1]!)).not.toThrow();
  });

  it('omits details above the verbosity', () => {
    const { log, lines } = logger('text', 2);
    log.detail(3, 'no');
    log.detail(2, 'yes');
    expect(lines).toHaveLength(1);
  });

  it('escapes values that would forge lines', () => {
    const { log, lines } = logger('text');
    log.info('user\nE0102 forged', { name: 'x\nE0102 forged' });
    expect(
      lines
        .join('')
        .split('\n')
        .filter((line) => line.startsWith('E')),
    ).toEqual([]);
  });
});
