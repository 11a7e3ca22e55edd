export { bootstrapFlowSchemas, bootstrapPriorityLevels } from '../kinds/flowcontrol/bootstrap-objects.ts';
export { bootstrapPriorityClasses } from '../kinds/scheduling/bootstrap-classes.ts';
export { bootstrapNamespaces } from './namespaces.ts';
export {
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
} from './rbac.ts';
export { mustReplaceBinding, reconcileDefault } from './reconcile.ts';
