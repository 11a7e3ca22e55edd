import type { Strategy } from '../../strategy.ts';
import { clusterRoleStrategy, roleStrategy } from './role.ts';
import { clusterRoleBindingStrategy, roleBindingStrategy } from './role-binding.ts';

/** Strategies without escalation checks, which need an authorizer; the composition root adds them. */
export const strategies: Record<string, Strategy> = {
  roles: roleStrategy,
  clusterroles: clusterRoleStrategy,
  rolebindings: roleBindingStrategy,
  clusterrolebindings: clusterRoleBindingStrategy,
};
