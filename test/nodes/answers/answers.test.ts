import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { attachAnswer, commandAnswer, logOf, portAnswer } from '../../../src/nodes/answers/literals.ts';
import { type LogSelection, selectLog } from '../../../src/nodes/answers/log-lines.ts';

const pod = (annotations: Record<string, string>): Pod => ({ metadata: { annotations } });
const AT = Date.parse('2026-01-02T03:04:05Z');
const ALL: LogSelection = {
  timestamps: false,
  since: undefined,
  tailLines: undefined,
  limitBytes: undefined,
};

describe('the log of a simulated container', () => {
  it.each<[string, Partial<LogSelection>, string]>([
    ['all of it', {}, 'a\nb\nc\n'],
    ['the last lines', { tailLines: 2 }, 'b\nc\n'],
    ['no lines', { tailLines: 0 }, ''],
    ['some bytes', { limitBytes: 3 }, 'a\nb'],
    ['nothing that is older', { since: AT + 1 }, ''],
    ['what is as old', { since: AT }, 'a\nb\nc\n'],
    ['times', { timestamps: true, tailLines: 1 }, '2026-01-02T03:04:05.000000000Z c\n'],
  ])('is cut to %s', (_, selection, wanted) => {
    expect(selectLog('a\nb\nc\n', AT, { ...ALL, ...selection }).toString()).toBe(wanted);
  });

  it('is that of the container, of its Pod, or of the configuration', () => {
    const annotated = pod({ 'sim.binnacle.dev/logs': 'all', 'sim.binnacle.dev/logs.c': 'own' });
    expect(logOf(annotated, 'c', false)).toBe('own');
    expect(logOf(annotated, 'd', false)).toBe('all');
    expect(logOf(annotated, 'd', true, 'common')).toBe('common');
    expect(attachAnswer(annotated, 'd')).toBe('all');
    expect(logOf(pod({ 'sim.binnacle.dev/logs.__proto__': 'data' }), '__proto__', false)).toBe('data');
  });
});

describe('commands and ports of a simulated Pod', () => {
  it('answer what annotations say, and nothing without them', () => {
    expect(commandAnswer(pod({}), 'c')).toBeUndefined();
    expect(commandAnswer(pod({ 'sim.binnacle.dev/exec-exit-code': '7' }), 'c')).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 7,
    });
    expect(commandAnswer(pod({ 'sim.binnacle.dev/exec-exit-code': '700' }), 'c')).toMatchObject({
      exitCode: 0,
    });
    expect(portAnswer(pod({ 'sim.binnacle.dev/port-forward.80': 'x' }), '80')).toBe('x');
    expect(portAnswer(pod({ 'sim.binnacle.dev/port-forward.80': 'x' }), '81')).toBeUndefined();
  });
});
