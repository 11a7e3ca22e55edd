import {
  checkBindingEscalation,
  checkRoleEscalation,
  type EscalationContext,
} from '../authorization/escalation.ts';
import type { BuiltinDependencies } from '../kinds/builtin-resource.ts';

/** The dependencies of escalation checks; undefined when the authorizer has no roles. */
export type EscalationParts = Pick<EscalationContext, 'authorizer' | 'resolver' | 'roles'> | undefined;

/**
 * Creates the escalation check of roles and bindings.
 * @param parts read on demand, since they are created after the resources
 */
export const escalationCheck =
  (parts: () => EscalationParts): BuiltinDependencies['checkEscalation'] =>
  async (kind, object, old, { user, namespace }) => {
    const found = parts();
    if (found === undefined) return;
    const context: EscalationContext = { user, namespace, ...found };
    if (kind === 'Role' || kind === 'ClusterRole')
      await checkRoleEscalation(object as never, kind, context, old as never);
    else await checkBindingEscalation(object as never, kind as 'RoleBinding', context);
  };
