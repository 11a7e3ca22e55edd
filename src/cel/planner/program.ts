import type { CheckedExpression } from '../checked.ts';
import type { FunctionTable } from '../libraries/function.ts';
import { FUNCTIONS } from '../libraries/index.ts';
import { isError, type Value } from '../values/value.ts';
import { type Bindings, type EvaluationLimits, Frame } from './frame.ts';
import { HALT_MESSAGES, Halt, type HaltReason } from './halt.ts';
import { Planner } from './planner.ts';
import { Scope } from './scope.ts';
import { type Evaluate, ProgramError } from './step.ts';

/** Why an evaluation has no value. */
export interface EvaluationFailure {
  /** The reference's text, without a prefix of the place that evaluates. */
  readonly message: string;
  /** `failed` when the expression itself did. */
  readonly reason: 'failed' | Exclude<HaltReason, 'suspended'>;
}

/** How an evaluation ended. `cost` is what it added up until then. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: Value; readonly cost: number }
  | { readonly kind: 'error'; readonly error: EvaluationFailure; readonly cost: number }
  /** It asked something that isn't known yet: evaluate again, from the start, once `until` settles. */
  | { readonly kind: 'suspended'; readonly until: Promise<unknown>; readonly cost: number };

/**
 * An expression that can be evaluated, any number of times and by any number of callers at once: evaluations
 * share nothing.
 */
export interface Program {
  /** Evaluates in one go. Throws nothing. */
  evaluate(bindings: Bindings, limits?: EvaluationLimits): Evaluation;
}

export interface PlanOptions {
  /** The functions at hand; all when absent. */
  readonly functions?: FunctionTable;
}

const TOO_DEEP_MESSAGE: EvaluationFailure = { message: 'expression is nested too deeply', reason: 'failed' };

/** Makes a program of an expression. @throws ProgramError when a constant part of it fails */
export function plan(checked: CheckedExpression, { functions = FUNCTIONS }: PlanOptions = {}): Program {
  const planner = new Planner(checked, functions);
  try {
    const { evaluate } = planner.plan(checked.root, new Scope());
    return { evaluate: (bindings, limits = {}) => run(evaluate, new Frame(bindings, planner.slots, limits)) };
  } catch (error) {
    throw error instanceof RangeError ? new ProgramError(TOO_DEEP_MESSAGE.message) : error;
  }
}

function run(evaluate: Evaluate, frame: Frame): Evaluation {
  try {
    const value = evaluate(frame);
    if (isError(value))
      return { kind: 'error', error: { message: value.message, reason: 'failed' }, cost: frame.cost };
    return { kind: 'value', value, cost: frame.cost };
  } catch (error) {
    // The stack's end, on a tree or value that is nested deeper than it can hold.
    if (error instanceof RangeError) return { kind: 'error', error: TOO_DEEP_MESSAGE, cost: frame.cost };
    if (!(error instanceof Halt)) throw error;
    const { reason, until } = error;
    if (reason === 'suspended') return { kind: 'suspended', until: until!, cost: frame.cost };
    return { kind: 'error', error: { message: HALT_MESSAGES[reason], reason }, cost: frame.cost };
  }
}

/**
 * The most times an evaluation is begun again for answers that it waits for; more can't come, since each such
 * question has its cost.
 */
const MAX_ATTEMPTS = 64;

/**
 * Evaluates, waiting for what the evaluation asks (an authorizer's decision). Rejects with what the awaited
 * answer rejects with.
 */
export async function evaluateAsync(
  program: Program,
  bindings: Bindings,
  limits: EvaluationLimits = {},
): Promise<Exclude<Evaluation, { kind: 'suspended' }>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const evaluation = program.evaluate(bindings, limits);
    if (evaluation.kind !== 'suspended') return evaluation;
    await evaluation.until;
  }
  return { kind: 'error', error: { message: HALT_MESSAGES.limit, reason: 'limit' }, cost: limits.limit ?? 0 };
}
