import { describe, expect, it } from 'vitest';
import { CompileError } from '../../src/cel/errors.ts';
import { DOUBLE, DYN, INT, STRING } from '../../src/cel/types.ts';
import { Double } from '../../src/cel/values/scalars.ts';
import recorded from './fixtures/conversions.json' with { type: 'json' };
import { evaluate } from './support/evaluate.ts';

/** A recorded result of the reference; `value` is null when the result is not a text. */
interface Recorded {
  readonly expression: string;
  readonly compile?: string;
  readonly error?: string;
  readonly value?: string | null;
}

const VARIABLES = {
  i: { type: INT, value: 1_000_000_000 },
  s: { type: STRING, value: 'a%' },
  d: { type: DOUBLE, value: new Double(1e10) },
  x: { type: DYN, value: 5 },
};

function outcomeOf(expression: string, isText: boolean): Omit<Recorded, 'expression'> {
  try {
    const { value, programError, error = programError } = evaluate(expression, VARIABLES);
    return error === undefined ? { value: isText ? (value as string) : null } : { error };
  } catch (error) {
    if (error instanceof CompileError) return { compile: error.message };
    throw error;
  }
}

describe('conversions and formats', () => {
  it('equal the recorded results', () => {
    const cases = recorded as readonly Recorded[];
    expect(cases.length).toBeGreaterThan(1700);
    for (const { expression, ...wanted } of cases)
      expect({ expression, ...outcomeOf(expression, typeof wanted.value === 'string') }).toEqual({
        expression,
        ...wanted,
      });
  });

  it('bound the precision of format clauses', () => {
    expect(evaluate("'%.1001f'.format([1.5])").error).toBe(
      'error during formatting: precision 1001 is too large',
    );
    expect(evaluate("'%.1001d'.format([1])").value).toBe('1');
  });
});
