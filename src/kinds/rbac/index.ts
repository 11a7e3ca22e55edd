import type { BuiltinResource } from '../builtin-resource.ts';
import { clusterRoles, roles } from './role.ts';
import { clusterRoleBindings, roleBindings } from './role-binding.ts';

export const rbacResources: readonly BuiltinResource[] = [
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
];
