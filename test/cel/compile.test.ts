import { describe, expect, test } from 'vitest';
import { compile } from '../../src/cel/compile.ts';
import { estimateCost } from '../../src/cel/cost/estimate.ts';
import type { Generation } from '../../src/cel/declarations/declarations.ts';
import { CompileError } from '../../src/cel/errors.ts';
import { declaredTypeName } from '../../src/cel/types.ts';
import { recorded } from '../support/recorded.ts';
import fixtures from './fixtures/compile.json' with { type: 'json' };
import { environment } from './support/environment.ts';

interface Outcome {
  readonly error?: readonly string[];
  readonly type?: string;
  readonly cost?: readonly string[];
}

/** The result of compiling: the lines of the error, or the type and the bounds of the cost. */
function outcome(text: string, generation: Generation, variables?: readonly string[]): Outcome {
  try {
    const checked = compile(text, environment(generation, variables));
    const { min, max } = estimateCost(checked);
    return { type: declaredTypeName(checked.type), cost: [`${min}`, `${max}`] };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { error: error.message.split('\n') };
  }
}

describe.each(Object.entries(fixtures as unknown as Record<Generation, Record<string, Outcome>>))(
  '%s expressions',
  (generation, cases) => {
    test.each(Object.entries(cases))('%s', (text, expected) =>
      expect(outcome(text, generation as Generation)).toEqual(expected),
    );
  },
);

describe('the estimated size of dyn', () => {
  const costOf = (text: string, keepsSizeOfDyn: boolean) => {
    const { min, max } = estimateCost(compile(text, environment('new')), undefined, { keepsSizeOfDyn });
    return [min, max];
  };

  test('is unknown', () => expect(costOf('dyn(1) + dyn(1.0) == 2.0', false)[1]).toBeGreaterThan(10n ** 17n));
  test('is that of its value', () => {
    expect(costOf('dyn(1) + dyn(1.0) == 2.0', true)[1]).toBeLessThan(10n);
    expect(costOf('dyn("ab")', true)).toEqual([1n, 1n]);
  });
});

interface Recorded {
  readonly expr: string;
  readonly env: Generation;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly compileError?: string;
  readonly resultType?: string;
  readonly estimateMin?: string;
  readonly estimateMax?: string;
}

describe('compilation against recorded results', () => {
  test.each(['cel-compile', 'cel-evaluation'])('%s', (file) => {
    for (const { expr, env, vars, compileError, resultType, estimateMin, estimateMax } of recorded<
      Recorded[]
    >(file)) {
      const expected =
        compileError === undefined
          ? { type: resultType, cost: [estimateMin, estimateMax] }
          : { error: compileError.split('\n') };
      const variables = file === 'cel-evaluation' ? Object.keys(vars ?? {}) : undefined;
      expect(outcome(expr, env, variables), expr).toEqual(expected);
    }
  });
});
