import { escapeHtml } from '../../codec/json-string.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { ApiError } from '../../status/api-error.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { PolicyDecision, PolicyResult } from './evaluate.ts';
import type { BoundPolicy } from './source.ts';

/** What happened to a request because of a validation, for metrics. */
export type PolicyAction = 'allow' | 'deny' | 'warn' | 'audit';

export interface PolicyObserver {
  /** @param milliseconds of the evaluation @param error `no_error`, `compile_error`, `out_of_budget`, `invalid_error` */
  decided(policy: string, binding: string, action: PolicyAction, error: string, milliseconds: number): void;
  /** The expressions of a policy were compiled. */
  compiled?(milliseconds: number): void;
  /** A policy was evaluated for a binding, with one parameter. */
  evaluated?(policy: string, binding: string, result: PolicyResult): void;
}

/** Codes by the reasons that a validation can give. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
  ['Invalid', 422],
]);

const VALIDATION_FAILURE = 'validation.policy.admission.k8s.io/validation_failure';
/** The releases whose audit annotation has the failures of all policies. */
const LISTS_FAILURES: Life = { since: '1.37' };
/** Maximum failures in an audit annotation. */
const MAXIMUM_FAILURES = 50;
/** Maximum length of the value of an audit annotation, in bytes. */
const MAXIMUM_ANNOTATION_BYTES = 10 * 1024;

/** Carries out what the policies decide about one request. */
export class PolicyVerdict {
  readonly #request: AdmissionRequest;
  readonly #observer: PolicyObserver;
  /** Whether one audit annotation has all failures; otherwise it has the first one. */
  readonly #listsFailures: boolean;
  readonly #failures: object[] = [];
  #denial: ApiError | undefined;

  constructor(request: AdmissionRequest, observer: PolicyObserver, has: RuleContext['has']) {
    this.#request = request;
    this.#observer = observer;
    this.#listsFailures = has(LISTS_FAILURES);
  }

  /** Denies because a policy, or one of its bindings, cannot be evaluated. */
  misconfigured(policy: string, binding: string | undefined, problem: string): void {
    const what = binding === undefined ? 'policy' : 'binding';
    this.#deny(policy, binding, `failed to configure ${what}: ${problem}`, undefined);
  }

  /** Applies the decisions of a policy by the actions of its binding, and collects its annotations. */
  apply(policy: string, binding: BoundPolicy, result: PolicyResult, annotations: PolicyAnnotations): void {
    this.#observer.evaluated?.(policy, binding.name, result);
    for (const [index, decision] of result.decisions.entries()) {
      if (decision.denies) this.#act(policy, binding, index, decision);
      else if (decision.isError) this.#observe(policy, binding, 'allow', decision);
    }
    for (const { key, value, error, elapsed } of result.annotations) {
      if (error === undefined) {
        annotations.add(key, value!);
        continue;
      }
      this.#deny(policy, binding.name, error, undefined);
      this.#observe(policy, binding, 'deny', { message: error, elapsed });
    }
  }

  /** @throws the first denial */
  conclude(): void {
    if (this.#failures.length > 0) this.#annotateFailures(this.#failures);
    if (this.#denial !== undefined) throw this.#denial;
  }

  #act(policy: string, binding: BoundPolicy, index: number, decision: PolicyDecision): void {
    const { message, reason } = decision;
    for (const action of binding.actions) {
      switch (action) {
        case 'Deny':
          this.#deny(policy, binding.name, message, reason);
          this.#observe(policy, binding, 'deny', decision);
          break;
        case 'Warn':
          this.#request.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ${message}`,
          );
          this.#observe(policy, binding, 'warn', decision);
          break;
        case 'Audit':
          this.#failed({
            message,
            policy,
            binding: binding.name,
            expressionIndex: index,
            validationActions: binding.actions,
          });
          this.#observe(policy, binding, 'audit', decision);
          break;
      }
    }
  }

  #failed(failure: object): void {
    // Only the first value of an annotation is kept.
    if (!this.#listsFailures) this.#annotateFailures([failure]);
    else if (this.#failures.length < MAXIMUM_FAILURES) this.#failures.push(failure);
  }

  #annotateFailures(failures: readonly object[]): void {
    this.#request.annotate(VALIDATION_FAILURE, escapeHtml(JSON.stringify(failures)));
  }

  /** Only the first denial is answered. */
  #deny(policy: string, binding: string | undefined, text: string, reason = 'Invalid'): void {
    if (this.#denial !== undefined) return;
    const bound = binding === undefined ? '' : ` with binding '${binding}'`;
    const message = `ValidatingAdmissionPolicy '${policy}'${bound} denied request: ${text}`;
    const error = admissionForbidden(this.#request, message, [{ message }]);
    this.#denial = new ApiError(CODES.get(reason) ?? 422, reason, error.message, error.details);
  }

  #observe(
    policy: string,
    { name }: BoundPolicy,
    action: PolicyAction,
    { message, elapsed }: Pick<PolicyDecision, 'message' | 'elapsed'>,
  ): void {
    this.#observer.decided(policy, name, action, errorTypeOf(message), elapsed);
  }
}

function errorTypeOf(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget')
    ? 'out_of_budget'
    : 'invalid_error';
}

/** The audit annotations of one policy: the different values of all its bindings. */
export class PolicyAnnotations {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const short = limitBytes(value);
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, new Set([short]));
    else known.add(short);
  }

  publish(policy: string, request: AdmissionRequest): void {
    for (const [key, values] of this.#values) request.annotate(`${policy}/${key}`, [...values].join(', '));
  }
}

/** Cuts a text at the maximum length; a character that does not fit is left out. */
function limitBytes(text: string): string {
  if (text.length * 3 <= MAXIMUM_ANNOTATION_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAXIMUM_ANNOTATION_BYTES) return text;
  let end = MAXIMUM_ANNOTATION_BYTES;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
