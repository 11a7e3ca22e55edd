import { admissionregistrationResources } from './admissionregistration/index.ts';
import { apiextensionsResources } from './apiextensions/index.ts';
import { apiregistrationResources } from './apiregistration/index.ts';
import { appsResources } from './apps/index.ts';
import { authenticationResources } from './authentication/index.ts';
import { authorizationResources } from './authorization/index.ts';
import { autoscalingResources } from './autoscaling/index.ts';
import { batchResources } from './batch/index.ts';
import type { BuiltinResource } from './builtin-resource.ts';
import { certificatesResources } from './certificates/index.ts';
import { coordinationResources } from './coordination/index.ts';
import { coreResources } from './core/index.ts';
import { discoveryResources } from './discovery/index.ts';
import { eventsResources } from './events/index.ts';
import { flowcontrolResources } from './flowcontrol/index.ts';
import { internalResources } from './internal/index.ts';
import { networkingResources } from './networking/index.ts';
import { nodeResources } from './node/index.ts';
import { policyResources } from './policy/index.ts';
import { rbacResources } from './rbac/index.ts';
import { deviceResources } from './resource/index.ts';
import { schedulingResources } from './scheduling/index.ts';
import { storageResources } from './storage/index.ts';
import { storagemigrationResources } from './storagemigration/index.ts';

/** The resources of each group, in discovery order. The core group is first; it is served at `/api`. */
export const BUILTIN_GROUPS: readonly (readonly BuiltinResource[])[] = [
  coreResources,
  apiregistrationResources,
  appsResources,
  eventsResources,
  authenticationResources,
  authorizationResources,
  autoscalingResources,
  batchResources,
  certificatesResources,
  networkingResources,
  policyResources,
  rbacResources,
  storageResources,
  admissionregistrationResources,
  apiextensionsResources,
  schedulingResources,
  coordinationResources,
  nodeResources,
  discoveryResources,
  deviceResources,
  flowcontrolResources,
  internalResources,
  storagemigrationResources,
];
