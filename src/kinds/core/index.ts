import type { BuiltinResource } from '../builtin-resource.ts';
import { componentStatuses } from './component-status.ts';
import { configMaps } from './config-map.ts';
import { endpoints } from './endpoints.ts';
import { events } from './event.ts';
import { limitRanges } from './limit-range.ts';
import { namespaces } from './namespace.ts';
import { nodes } from './nodes/node.ts';
import { bindings } from './pods/binding.ts';
import { pods } from './pods/pod.ts';
import { podTemplates } from './pods/pod-template.ts';
import { replicationControllers } from './replication-controller.ts';
import { resourceQuotas } from './resource-quota.ts';
import { secrets } from './secret.ts';
import { serviceAccounts } from './service-account.ts';
import { services } from './services/service.ts';
import { persistentVolumes } from './volumes/persistent-volume.ts';
import { persistentVolumeClaims } from './volumes/persistent-volume-claim.ts';

export const coreResources: readonly BuiltinResource[] = [
  bindings,
  componentStatuses,
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
];
