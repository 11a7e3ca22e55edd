export { bootstrapFlowSchemas, bootstrapPriorityLevels } from './flow-control.ts';
export { bootstrapNamespaces, SYSTEM_NAMESPACES } from './namespaces.ts';
export { bootstrapPriorityClasses } from './priority-classes.ts';
export { bootstrapClusterRoleBindings, bootstrapClusterRoles, bootstrapRoleBindings, bootstrapRoles } from './rbac.ts';
export { mustReplaceBinding, reconcileDefault } from './reconcile.ts';
