import { quote } from '../errors/quote.ts';
import type { RoleBinding, Subject } from '../model/generated/rbac-v1.ts';
import type { CompiledRule } from './rule-matching.ts';
import { describeSubject } from './subjects.ts';

/** The rules of a role, or the error text when it does not exist. */
export type ResolvedRole = readonly CompiledRule[] | string;

const NO_RULES: readonly CompiledRule[] = [];

/**
 * A role that a subject holds through a binding. Role and reason are resolved on first use: most grants are
 * never evaluated.
 */
export class Grant {
  readonly binding: RoleBinding;
  readonly #subject: Subject;
  readonly #namespace: string;
  readonly #resolve: (kind: string, name: string, namespace: string) => ResolvedRole;
  #role: ResolvedRole | undefined;
  #reason: string | undefined;

  /** @param namespace of the binding, empty for a cluster role binding */
  constructor(
    binding: RoleBinding,
    subject: Subject,
    namespace: string,
    resolve: (kind: string, name: string, namespace: string) => ResolvedRole,
  ) {
    this.binding = binding;
    this.#subject = subject;
    this.#namespace = namespace;
    this.#resolve = resolve;
  }

  get rules(): readonly CompiledRule[] {
    const role = this.#resolved();
    return typeof role === 'string' ? NO_RULES : role;
  }

  /** Error text for denials when the role does not exist. */
  get resolutionError(): string | undefined {
    const role = this.#resolved();
    return typeof role === 'string' ? role : undefined;
  }

  /** Why the grant applies, for the reason of a decision. */
  get reason(): string {
    if (this.#reason === undefined) {
      const { metadata, roleRef: { kind = '', name = '' } = {} } = this.binding;
      const bindingName = metadata?.name ?? '';
      const title =
        this.#namespace === ''
          ? `ClusterRoleBinding ${quote(bindingName)}`
          : `RoleBinding ${quote(`${bindingName}/${this.#namespace}`)}`;
      this.#reason = `RBAC: allowed by ${title} of ${kind} ${quote(name)} to ${describeSubject(this.#subject, this.#namespace)}`;
    }
    return this.#reason;
  }

  #resolved(): ResolvedRole {
    if (this.#role === undefined) {
      const { kind = '', name = '' } = this.binding.roleRef ?? {};
      this.#role = this.#resolve(kind, name, this.#namespace);
    }
    return this.#role;
  }
}
