import type { AdmissionRequest } from '../../../request/admission.ts';
import { ApiError } from '../../../status/api-error.ts';
import { admissionForbidden } from '../../forbidden.ts';
import type { PolicyHook } from '../source.ts';

type Policy = Pick<PolicyHook<unknown>, 'name' | 'ignoresErrors'>;

interface Failure {
  readonly message: string;
  readonly reason: string;
}

/** Why policies failed for one request. Those with failure policy Ignore do not count. */
export class MutationFailures {
  readonly #failures: Failure[] = [];

  /** The policy cannot be evaluated. */
  addPolicy(policy: Policy, problem: string): void {
    const name = JSON.stringify(policy.name);
    this.#add(policy, `policy ${name} denied request: failed to configure policy: ${problem}`, 'Forbidden');
  }

  /** The policy cannot be evaluated for a binding. */
  addBinding(policy: Policy, binding: string, problem: string): void {
    const text = boundText(policy, binding, `failed to configure binding: ${problem}`);
    this.#add(policy, text, 'Forbidden');
  }

  /** A match condition or a mutation failed. */
  addMutation(policy: Policy, binding: string, problem: string): void {
    this.#add(policy, boundText(policy, binding, problem), 'Invalid');
  }

  /** @throws ApiError 403 with the messages of all failures */
  conclude(request: AdmissionRequest): void {
    const [first] = this.#failures;
    if (first === undefined) return;
    const causes = this.#failures.map(({ message }) => ({ message }));
    const { code, details } = admissionForbidden(request, first.message, causes);
    throw new ApiError(code, first.reason, first.message, details);
  }

  #add({ ignoresErrors }: Policy, message: string, reason: string): void {
    if (!ignoresErrors) this.#failures.push({ message, reason });
  }
}

const boundText = ({ name }: Policy, binding: string, problem: string): string =>
  `policy '${name}' with binding '${binding}' denied request: ${problem}`;
