export { bootstrapFlowSchemas, bootstrapPriorityLevels } from './flow-control.ts';
export { bootstrapNamespaces } from './namespaces.ts';
export { bootstrapPriorityClasses } from './priority-classes.ts';
export {
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
} from './rbac.ts';
export { mustReplaceBinding, reconcileDefault } from './reconcile.ts';
