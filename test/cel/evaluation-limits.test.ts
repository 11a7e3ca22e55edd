import { describe, expect, test } from 'vitest';
import { plan } from '../../src/cel/planner/program.ts';
import { INT, list } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { compileWith, type Variables } from './support/evaluate.ts';

const EXCEEDED = 'operation cancelled: actual cost limit exceeded';
const numbers: Variables = {
  l: { type: list(INT), value: valueOfJson(Array.from({ length: 1000 }, (_, index) => index)) },
};

describe('what stops an evaluation', () => {
  const program = plan(compileWith('l.all(a, l.all(b, a + b >= 0))', numbers));
  const bindings = new Map([['l', numbers['l']!.value]]);

  test('its limit, at the first step that is too much', () => {
    expect(program.evaluate(bindings, { limit: 1000 })).toEqual({
      kind: 'error',
      error: { message: EXCEEDED, reason: 'limit' },
      cost: 1001,
    });
  });

  test('the budget that it shares, when that is less', () => {
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

  test('its time, asked every hundred iterations', () => {
    let asked = 0;
    const expired = (): boolean => ++asked === 3;
    expect(program.evaluate(bindings, { expired })).toMatchObject({
      kind: 'error',
      error: { reason: 'deadline', message: 'operation interrupted' },
    });
    expect(asked).toBe(3);
  });
});
