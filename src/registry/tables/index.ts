import type { TableDefinition } from '../table.ts';
import { certificateSigningRequests, clusterTrustBundles, roleBindings } from './access.ts';
import {
  admissionPolicyBindings,
  mutatingAdmissionPolicies,
  validatingAdmissionPolicies,
  webhookConfigurations,
} from './admission.ts';
import { horizontalPodAutoscalers, scales } from './autoscaling.ts';
import { cronJobs, jobs } from './batch.ts';
import {
  componentStatuses,
  configMaps,
  events,
  namespaces,
  resourceQuotas,
  secrets,
  serviceAccounts,
} from './core.ts';
import { DEFAULT_TABLE, NAME_AND_AGE } from './define.ts';
import {
  apiServices,
  flowSchemas,
  priorityLevelConfigurations,
  storageVersionMigrations,
  storageVersions,
} from './machinery.ts';
import { ingressClasses, ingresses, ipAddresses, networkPolicies, serviceCidrs } from './networking.ts';
import { nodes } from './nodes.ts';
import { pods, podTemplates } from './pods.ts';
import {
  leaseCandidates,
  leases,
  podDisruptionBudgets,
  priorityClasses,
  resourceClaims,
  resourceSlices,
  runtimeClasses,
} from './policy.ts';
import { endpointSlices, endpoints, services } from './services.ts';
import {
  csiDrivers,
  csiNodes,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
} from './storage.ts';
import { persistentVolumeClaims, persistentVolumes } from './volumes.ts';
import {
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
} from './workloads.ts';

/** Tables by `group/resource`; all versions of a resource have the same table. */
const TABLES: ReadonlyMap<string, TableDefinition> = new Map([
  ['/componentstatuses', componentStatuses],
  ['/configmaps', configMaps],
  ['/endpoints', endpoints],
  ['/events', events],
  ['/namespaces', namespaces],
  ['/nodes', nodes],
  ['/persistentvolumeclaims', persistentVolumeClaims],
  ['/persistentvolumes', persistentVolumes],
  ['/pods', pods],
  ['/podtemplates', podTemplates],
  ['/replicationcontrollers', replicationControllers],
  ['/resourcequotas', resourceQuotas],
  ['/secrets', secrets],
  ['/serviceaccounts', serviceAccounts],
  ['/services', services],
  ['admissionregistration.k8s.io/mutatingadmissionpolicies', mutatingAdmissionPolicies],
  ['admissionregistration.k8s.io/mutatingadmissionpolicybindings', admissionPolicyBindings],
  ['admissionregistration.k8s.io/mutatingwebhookconfigurations', webhookConfigurations],
  ['admissionregistration.k8s.io/validatingadmissionpolicies', validatingAdmissionPolicies],
  ['admissionregistration.k8s.io/validatingadmissionpolicybindings', admissionPolicyBindings],
  ['admissionregistration.k8s.io/validatingwebhookconfigurations', webhookConfigurations],
  ['apiregistration.k8s.io/apiservices', apiServices],
  ['apps/controllerrevisions', controllerRevisions],
  ['apps/daemonsets', daemonSets],
  ['apps/deployments', deployments],
  ['apps/replicasets', replicaSets],
  ['apps/statefulsets', statefulSets],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalers],
  ['autoscaling/scales', scales],
  ['batch/cronjobs', cronJobs],
  ['batch/jobs', jobs],
  ['certificates.k8s.io/certificatesigningrequests', certificateSigningRequests],
  ['certificates.k8s.io/clustertrustbundles', clusterTrustBundles],
  ['coordination.k8s.io/leasecandidates', leaseCandidates],
  ['coordination.k8s.io/leases', leases],
  ['discovery.k8s.io/endpointslices', endpointSlices],
  ['events.k8s.io/events', events],
  ['flowcontrol.apiserver.k8s.io/flowschemas', flowSchemas],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', priorityLevelConfigurations],
  ['internal.apiserver.k8s.io/storageversions', storageVersions],
  ['networking.k8s.io/ingressclasses', ingressClasses],
  ['networking.k8s.io/ingresses', ingresses],
  ['networking.k8s.io/ipaddresses', ipAddresses],
  ['networking.k8s.io/networkpolicies', networkPolicies],
  ['networking.k8s.io/servicecidrs', serviceCidrs],
  ['node.k8s.io/runtimeclasses', runtimeClasses],
  ['policy/poddisruptionbudgets', podDisruptionBudgets],
  ['rbac.authorization.k8s.io/clusterrolebindings', roleBindings],
  ['rbac.authorization.k8s.io/rolebindings', roleBindings],
  ['resource.k8s.io/deviceclasses', NAME_AND_AGE],
  ['resource.k8s.io/resourceclaims', resourceClaims],
  ['resource.k8s.io/resourceclaimtemplates', NAME_AND_AGE],
  ['resource.k8s.io/resourceslices', resourceSlices],
  ['scheduling.k8s.io/priorityclasses', priorityClasses],
  ['storage.k8s.io/csidrivers', csiDrivers],
  ['storage.k8s.io/csinodes', csiNodes],
  ['storage.k8s.io/storageclasses', storageClasses],
  ['storage.k8s.io/volumeattachments', volumeAttachments],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClasses],
  ['storagemigration.k8s.io/storageversionmigrations', storageVersionMigrations],
]);

/**
 * Returns the table of a built-in resource; default: name and creation time. `autoscaling/scales` is the
 * table of scale subresources.
 */
export function tableOf(group: string, resource: string): TableDefinition {
  return TABLES.get(`${group}/${resource}`) ?? DEFAULT_TABLE;
}
