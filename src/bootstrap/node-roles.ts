import type { PolicyRule } from '../model/generated/rbac-v1.ts';
import type { RuleContext } from '../model/rule-context.ts';
import { allow, type Condition, inCase, type RoleDeclaration, role, rulesIn } from './declarations.ts';

const DEVICES: Condition = { gate: 'DynamicResourceAllocation' };
const TRUST: Condition = { gate: 'ClusterTrustBundle' };

/** Roles of nodes, of node components and of certificate approval. */
export const NODE_ROLES: readonly RoleDeclaration[] = [
  role('system:node', [
    allow('create', 'authentication.k8s.io', 'tokenreviews'),
    allow('create', 'authorization.k8s.io', 'localsubjectaccessreviews subjectaccessreviews'),
    allow('get list watch', 'core', 'services'),
    allow('create get list watch', 'core', 'nodes'),
    allow('patch update', 'core', 'nodes/status'),
    allow('patch update', 'core', 'nodes'),
    inCase({ until: '1.35' }, allow('create patch update', 'core', 'events')),
    inCase({ since: '1.35' }, allow('create patch update', 'core events.k8s.io', 'events')),
    allow('get list watch', 'core', 'pods'),
    allow('create delete', 'core', 'pods'),
    allow('patch update', 'core', 'pods/status'),
    allow('create', 'core', 'pods/eviction'),
    allow('get list watch', 'core', 'configmaps secrets'),
    allow('get', 'core', 'persistentvolumeclaims persistentvolumes'),
    allow('get', 'core', 'endpoints'),
    allow('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    allow('create delete get patch update', 'coordination.k8s.io', 'leases'),
    allow('get', 'storage.k8s.io', 'volumeattachments'),
    allow('create', 'core', 'serviceaccounts/token'),
    allow('get patch update', 'core', 'persistentvolumeclaims/status'),
    allow('get list watch', 'storage.k8s.io', 'csidrivers'),
    allow('create delete get patch update', 'storage.k8s.io', 'csinodes'),
    inCase(
      { since: '1.37', gate: 'CSIVolumeHealth' },
      allow('get patch update', 'storage.k8s.io', 'csinodes/status'),
    ),
    allow('get list watch', 'node.k8s.io', 'runtimeclasses'),
    inCase(DEVICES, allow('get', 'resource.k8s.io', 'resourceclaims')),
    inCase(DEVICES, allow('deletecollection', 'resource.k8s.io', 'resourceslices')),
    inCase(TRUST, allow('get list watch', 'certificates.k8s.io', 'clustertrustbundles')),
    inCase(
      { since: '1.33', gate: 'KubeletServiceAccountTokenForCredentialProviders' },
      allow('get', 'core', 'serviceaccounts'),
    ),
    inCase(
      { gate: 'PodCertificateRequest' },
      allow('create get list watch', 'certificates.k8s.io', 'podcertificaterequests'),
    ),
  ]),
  role('system:node-bootstrapper', [
    allow('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
  ]),
  role('system:node-problem-detector', [
    allow('get', 'core', 'nodes'),
    allow('patch', 'core', 'nodes/status'),
    allow('create patch update', 'core events.k8s.io', 'events'),
  ]),
  role('system:node-proxier', [
    allow('list watch', 'core', 'endpoints services'),
    allow('get list watch', 'core', 'nodes'),
    allow('create patch update', 'core events.k8s.io', 'events'),
    inCase({ gate: 'MultiCIDRServiceAllocator' }, allow('list watch', 'networking.k8s.io', 'servicecidrs')),
    allow('list watch', 'discovery.k8s.io', 'endpointslices'),
  ]),
  role('system:kubelet-api-admin', [
    allow('get list watch', 'core', 'nodes'),
    allow('proxy', 'core', 'nodes'),
    allow('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
    inCase({ gate: 'KubeletFineGrainedAuthz' }, allow('*', 'core', 'nodes/configz nodes/healthz nodes/pods')),
  ]),
  role('system:certificates.k8s.io:certificatesigningrequests:nodeclient', [
    allow('create', 'certificates.k8s.io', 'certificatesigningrequests/nodeclient'),
  ]),
  role('system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', [
    allow('create', 'certificates.k8s.io', 'certificatesigningrequests/selfnodeclient'),
  ]),
  role('system:certificates.k8s.io:kube-apiserver-client-approver', [
    allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client'),
  ]),
  role('system:certificates.k8s.io:kube-apiserver-client-kubelet-approver', [
    allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
  ]),
  role('system:certificates.k8s.io:kubelet-serving-approver', [
    allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kubelet-serving'),
  ]),
  role('system:certificates.k8s.io:legacy-unknown-approver', [
    allow('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/legacy-unknown'),
  ]),
];

/** Rules of all nodes, where the Node authorizer does not restrict access per node. */
export const nodeRules = (context: RuleContext): readonly PolicyRule[] =>
  rulesIn(context, [
    ...NODE_ROLES.find(({ name }) => name === 'system:node')!.rules,
    inCase(
      DEVICES,
      allow(
        'create delete deletecollection get list patch update watch',
        'resource.k8s.io',
        'resourceslices',
      ),
    ),
  ]);
