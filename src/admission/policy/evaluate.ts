import {
  ComposedVariables,
  type EvaluationScope,
  type ExpressionResult,
  evaluateAll,
  type MatchResult,
  OUT_OF_BUDGET,
  type Value,
} from '../../cel/index.ts';
import type { AdmissionOperation } from '../../request/admission.ts';
import type { Steps } from '../../steps/steps.ts';
import type { CostTurns } from '../../steps/turns.ts';
import {
  type CompiledConditions,
  type ConditionEvaluation,
  matchConditions,
} from '../expressions/conditions.ts';
import { RequestBindings, type RequestValues } from '../expressions/values.ts';
import type { CompiledPolicy, ValidationTexts } from './compile.ts';

/** What a policy decides about one of its validations. */
export interface PolicyDecision {
  readonly denies: boolean;
  /** The expression, or one that belongs to it, could not be evaluated. */
  readonly isError: boolean;
  /** Empty if nothing is wrong. */
  readonly message: string;
  readonly reason: string | undefined;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** An audit annotation that a policy adds, or why its value is unknown. */
export interface PolicyAnnotation {
  readonly key: string;
  readonly value?: string;
  readonly error?: string;
  readonly elapsed: number;
}

/** The decisions of a policy, one per validation; none if its match conditions exclude the request. */
export interface PolicyResult {
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly PolicyAnnotation[];
  /** Cost units of validations, messages and annotations. */
  readonly cost: number;
  /** The match condition that excludes the request. */
  readonly excludedBy?: string;
}

export interface PolicyInput extends Pick<ConditionEvaluation, 'metrics'> {
  /** Name of the policy. */
  readonly name: string;
  readonly operation: AdmissionOperation;
  readonly values: RequestValues;
  /** The values that match conditions see. */
  readonly conditionValues: RequestValues;
  /** Undefined if the policy has no `paramKind`. */
  readonly params: Value | undefined;
  readonly turns: CostTurns;
  readonly expired?: () => boolean;
}

/** The budget of cost units for the validations of one policy with one parameter, and for its annotations. */
export const POLICY_BUDGET = 10_000_000;
/** Maximum length of the result of a message expression, in bytes. */
const MAXIMUM_MESSAGE_BYTES = 5 * 1024;

const NOTHING: PolicyResult = { decisions: [], annotations: [], cost: 0 };

/** Evaluates a policy on a request with one parameter. */
export function* evaluatePolicy(policy: CompiledPolicy, input: PolicyInput): Steps<PolicyResult> {
  const failed = (message: string): PolicyResult => ({
    ...NOTHING,
    decisions: [errorDecision(policy, message, 0)],
  });
  if (policy.conditions !== undefined) {
    const result = yield* matchPolicy(policy.conditions, input);
    if (result.kind === 'excluded') return { ...NOTHING, excludedBy: policy.conditions.names[result.index]! };
    if (result.kind === 'error') return policy.ignoresErrors ? NOTHING : failed(result.message);
  }
  const validated = yield* evaluateAll(policy.validations, scopeOf(policy, input, true), POLICY_BUDGET);
  if (validated === undefined) return failed(OUT_OF_BUDGET);
  const { decisions, remaining } = yield* decide(policy, input, validated);
  if (policy.annotations.length === 0) return { decisions, annotations: [], cost: POLICY_BUDGET - remaining };
  const annotated = yield* evaluateAll(policy.annotations, scopeOf(policy, input, false), POLICY_BUDGET);
  if (annotated === undefined) return failed(OUT_OF_BUDGET);
  return {
    decisions,
    annotations: annotated.results.flatMap((result, index) => annotationOf(policy, index, result!)),
    cost: 2 * POLICY_BUDGET - remaining - annotated.remaining,
  };
}

/** Evaluates the match conditions of a policy with one parameter. */
export function matchPolicy(
  conditions: CompiledConditions,
  { name, operation, conditionValues, params, turns, expired, metrics }: Omit<PolicyInput, 'values'>,
): Steps<MatchResult> {
  const bound = { authorizer: true, namespaceObject: false, params };
  const bindings = new RequestBindings(conditionValues, bound);
  // As in kube-apiserver, mutating policies count as validating.
  const owner = { kind: 'policy', name, type: 'validate', operation } as const;
  return matchConditions(conditions, { owner, bindings, turns, expired, metrics });
}

/** The variables of one list of expressions, which evaluates the variables of the policy for itself. */
export function scopeOf(
  { variables }: Pick<CompiledPolicy, 'variables'>,
  { values, params, turns, expired }: Pick<PolicyInput, 'values' | 'params' | 'turns' | 'expired'>,
  authorizer: boolean,
): EvaluationScope {
  const bindings = new RequestBindings(values, { authorizer, namespaceObject: true, params });
  if (variables.size === 0) return { bindings, turns, expired };
  const composed = new ComposedVariables(variables, bindings);
  bindings.variables = composed;
  return { bindings, variables: composed, turns, expired };
}

/** Turns the results of validations into decisions; messages are evaluated if a validation has failed. */
function* decide(
  policy: CompiledPolicy,
  input: PolicyInput,
  {
    results,
    remaining,
  }: { readonly results: readonly (ExpressionResult | undefined)[]; readonly remaining: number },
): Steps<{ readonly decisions: PolicyDecision[]; readonly remaining: number }> {
  const { messages, texts } = policy;
  const needsMessages =
    results.some((result) => result!.error === undefined && result!.value !== true) &&
    messages.some((message) => message !== undefined);
  const messaged = needsMessages
    ? yield* evaluateAll(messages, scopeOf(policy, input, false), remaining)
    : { results: [], remaining };
  const decisions = results.map((result, index): PolicyDecision => {
    const { value, error, elapsed } = result!;
    if (error !== undefined) return errorDecision(policy, error, elapsed);
    if (messaged === undefined)
      return errorDecision(policy, `failed messageExpression: ${OUT_OF_BUDGET}`, elapsed);
    if (value === true) return { denies: false, isError: false, message: '', reason: undefined, elapsed };
    const text = texts[index]!;
    const message = messageOf(text, messaged.results[index]);
    return { denies: true, isError: false, message, reason: text.reason, elapsed };
  });
  return { decisions, remaining: messaged?.remaining ?? 0 };
}

const errorDecision = (
  { ignoresErrors }: CompiledPolicy,
  message: string,
  elapsed: number,
): PolicyDecision => ({ denies: !ignoresErrors, isError: true, message, reason: undefined, elapsed });

/** The computed message if it is a short line of text, else the literal one, else the expression. */
function messageOf({ expression, message }: ValidationTexts, result: ExpressionResult | undefined): string {
  if (typeof result?.value === 'string') {
    const computed = trimSpace(result.value);
    const isShort = Buffer.byteLength(computed) <= MAXIMUM_MESSAGE_BYTES;
    if (computed !== '' && isShort && !computed.includes('\n')) return computed;
  }
  return trimSpace(message) || `failed expression: ${trimSpace(expression)}`;
}

function annotationOf(
  { annotationKeys, ignoresErrors }: CompiledPolicy,
  index: number,
  { value, error, elapsed }: ExpressionResult,
): PolicyAnnotation[] {
  const key = annotationKeys[index]!;
  if (error !== undefined) return ignoresErrors ? [] : [{ key, error, elapsed }];
  const text = typeof value === 'string' ? trimSpace(value) : '';
  return text === '' ? [] : [{ key, value: text, elapsed }];
}

/** Removes leading and trailing white space as Unicode defines it; the byte order mark stays. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isSpace = (code: number): boolean =>
  code <= 0x20
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : code >= 0x85 &&
      (code === 0x85 ||
        code === 0xa0 ||
        code === 0x1680 ||
        (code >= 0x2000 && code <= 0x200a) ||
        code === 0x2028 ||
        code === 0x2029 ||
        code === 0x202f ||
        code === 0x205f ||
        code === 0x3000);
