import type { CheckedExpression } from '../checked.ts';
import type { FunctionTable } from '../libraries/function.ts';
import { FUNCTIONS } from '../libraries/index.ts';
import { isError, type Value } from '../values/value.ts';
import { type Bindings, type EvaluationLimits, Frame } from './frame.ts';
import { HALT_MESSAGES, Halt, type HaltReason } from './halt.ts';
import { Planner } from './planner.ts';
import { Scope } from './scope.ts';
import { type Evaluate, ProgramError } from './step.ts';

/** The reason why an evaluation has no value. */
export interface EvaluationFailure {
  /** The reference's text, without the prefix that the caller adds. */
  readonly message: string;
  /** `failed` for an error of the expression itself. */
  readonly reason: 'failed' | Exclude<HaltReason, 'suspended'>;
}

/** The result of an evaluation. `cost` is the cost up to its end. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: Value; readonly cost: number }
  | { readonly kind: 'error'; readonly error: EvaluationFailure; readonly cost: number }
  /** It waits for a pending decision: evaluate again from the start when `until` settles. */
  | { readonly kind: 'suspended'; readonly until: Promise<unknown>; readonly cost: number };

/**
 * A planned expression. It can be evaluated any number of times, also concurrently: evaluations share no
 * state.
 */
export interface Program {
  /** Evaluates synchronously. Never throws. */
  evaluate(bindings: Bindings, limits?: EvaluationLimits): Evaluation;
}

export interface PlanOptions {
  /** The available functions; all when absent. */
  readonly functions?: FunctionTable;
}

const TOO_DEEP_MESSAGE: EvaluationFailure = { message: 'expression is nested too deeply', reason: 'failed' };

/** Plans an expression. @throws ProgramError when a constant part of it fails */
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
    // Stack overflow: the tree or value is nested too deeply.
    if (error instanceof RangeError) return { kind: 'error', error: TOO_DEEP_MESSAGE, cost: frame.cost };
    if (!(error instanceof Halt)) throw error;
    const { reason, until } = error;
    if (reason === 'suspended') return { kind: 'suspended', until: until!, cost: frame.cost };
    return { kind: 'error', error: { message: HALT_MESSAGES[reason], reason }, cost: frame.cost };
  }
}

/** The maximum number of restarts of an evaluation that waits for decisions; their cost allows no more. */
const MAX_ATTEMPTS = 64;

/** Evaluates, awaiting pending authorization decisions. Rejects if an awaited decision rejects. */
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
