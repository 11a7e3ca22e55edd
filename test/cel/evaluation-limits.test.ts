import { describe, expect, test } from 'vitest';
import { plan } from '../../src/cel/planner/program.ts';
import { INT, list } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { compileWith, type Variables } from './support/evaluate.ts';

const EXCEEDED = 'operation cancelled: actual cost limit exceeded';
const numbers: Variables = {
  l: { type: list(INT), value: valueOfJson(Array.from({ length: 1000 }, (_, index) => index)) },
};

describe('evaluation limits', () => {
  const program = plan(compileWith('l.all(a, l.all(b, a + b >= 0))', numbers));
  const bindings = new Map([['l', numbers['l']!.value]]);

  test('stops at the first step beyond the cost limit', () => {
    expect(program.evaluate(bindings, { limit: 1000 })).toEqual({
      kind: 'error',
      error: { message: EXCEEDED, reason: 'limit' },
      cost: 1001,
    });
  });

  test('stops at the shared budget when it is lower than the limit', () => {
    expect(program.evaluate(bindings, { limit: 1000, budget: 500 })).toMatchObject({
      kind: 'error',
      error: { reason: 'budget' },
      cost: 501,
    });
    expect(program.evaluate(bindings, { limit: 500, budget: 1000 })).toMatchObject({
      kind: 'error',
      error: { reason: 'limit' },
      cost: 501,
    });
  });

  test('checks the deadline every 100 iterations', () => {
    let calls = 0;
    const expired = (): boolean => ++calls === 3;
    expect(program.evaluate(bindings, { expired })).toMatchObject({
      kind: 'error',
      error: { reason: 'deadline', message: 'operation interrupted' },
    });
    expect(calls).toBe(3);
  });
});
