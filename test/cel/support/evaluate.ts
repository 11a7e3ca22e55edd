import { compile } from '../../../src/cel/compile.ts';
import { declarationsOf, type Generation } from '../../../src/cel/declarations/declarations.ts';
import type { EvaluationLimits } from '../../../src/cel/planner/frame.ts';
import { type Evaluation, plan } from '../../../src/cel/planner/program.ts';
import { ProgramError } from '../../../src/cel/planner/step.ts';
import type { Type } from '../../../src/cel/types.ts';
import type { Value } from '../../../src/cel/values/value.ts';
import { comparable } from './wire-values.ts';

/** A declared variable and its value. */
export type Variables = Readonly<Record<string, { readonly type: Type; readonly value: Value }>>;

/** The result of an expression, in a form that compares and prints well. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
  readonly programError?: string;
  readonly cost?: number;
}

/** Compiles an expression with these variables declared. */
export function compileWith(text: string, variables: Variables = {}, generation: Generation = 'stored') {
  return compile(
    text,
    declarationsOf(generation, {
      variables: new Map(Object.entries(variables).map(([name, { type }]) => [name, type])),
    }),
  );
}

/** Compiles, plans and evaluates. */
export function evaluate(
  text: string,
  variables: Variables = {},
  limits: EvaluationLimits = {},
  generation: Generation = 'stored',
): Outcome {
  const checked = compileWith(text, variables, generation);
  try {
    return outcomeOf(
      plan(checked).evaluate(
        new Map(Object.entries(variables).map(([name, { value }]) => [name, value])),
        limits,
      ),
    );
  } catch (error) {
    if (error instanceof ProgramError) return { programError: error.message };
    throw error;
  }
}

/** An evaluation in a form that compares and prints well. */
export function outcomeOf(evaluation: Evaluation): Outcome {
  const { cost } = evaluation;
  if (evaluation.kind === 'value') return { value: comparable(evaluation.value), cost };
  return { error: evaluation.kind === 'error' ? evaluation.error.message : 'suspended', cost };
}
