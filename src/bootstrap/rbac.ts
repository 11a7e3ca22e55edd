import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import { COMPONENT_ROLES } from './component-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import {
  allow,
  binding,
  clusterRole,
  controllerBinding,
  inCase,
  namespacedRole,
  type RoleDeclaration,
  rulesIn,
  type SubjectDeclaration,
  selectIn,
} from './declarations.ts';
import { NODE_ROLES } from './node-roles.ts';
import { USER_ROLES } from './user-roles.ts';

const CLUSTER_ROLES: readonly RoleDeclaration[] = [
  ...USER_ROLES,
  ...NODE_ROLES,
  ...COMPONENT_ROLES,
  ...CONTROLLER_ROLES,
];

/** Default subjects of cluster roles; each binding has the name of its role. */
const CLUSTER_BINDINGS: readonly (readonly [role: string, ...subjects: SubjectDeclaration[]])[] = [
  ['cluster-admin', 'Group:system:masters'],
  ['system:monitoring', 'Group:system:monitoring'],
  ['system:discovery', 'Group:system:authenticated'],
  ['system:basic-user', 'Group:system:authenticated'],
  ['system:public-info-viewer', 'Group:system:authenticated', 'Group:system:unauthenticated'],
  ['system:node-proxier', 'User:system:kube-proxy'],
  ['system:kube-controller-manager', 'User:system:kube-controller-manager'],
  ['system:kube-dns', 'ServiceAccount:kube-system/kube-dns'],
  ['system:kube-scheduler', 'User:system:kube-scheduler'],
  ['system:volume-scheduler', 'User:system:kube-scheduler'],
  ['system:service-account-issuer-discovery', 'Group:system:serviceaccounts'],
  ['system:cluster-trust-bundle-discovery', 'Group:system:serviceaccounts'],
  // The Node authorizer authorizes nodes; the binding exists for clusters that add subjects to it.
  ['system:node'],
];

const leaderLock = (component: string) => [
  inCase({ until: '1.35' }, allow('watch', 'core', 'configmaps')),
  inCase({ until: '1.35' }, allow('get update', 'core', 'configmaps', component)),
  allow('create get list update watch', 'coordination.k8s.io', 'leases'),
  allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
];
const READ_AUTHENTICATION = 'extension-apiserver-authentication';
const writeEvents = allow('create patch update', 'core events.k8s.io', 'events');

export const bootstrapClusterRoles = (context: RuleContext): KubernetesObject[] =>
  selectIn(context, CLUSTER_ROLES).map((declared) => clusterRole(declared, context));

export const bootstrapClusterRoleBindings = (context: RuleContext): KubernetesObject[] => {
  const roles = new Set(selectIn(context, CLUSTER_ROLES).map(({ name }) => name));
  return [
    ...CLUSTER_BINDINGS.filter(([name]) => roles.has(name)).map(([name, ...subjects]) =>
      binding('', name, name, subjects),
    ),
    ...selectIn(context, CONTROLLER_ROLES).map(controllerBinding),
  ];
};

export const bootstrapRoles = (context: RuleContext): KubernetesObject[] => [
  namespacedRole('kube-public', 'system:controller:bootstrap-signer', [
    allow('get list watch', 'core', 'configmaps'),
    allow('update', 'core', 'configmaps', 'cluster-info'),
    writeEvents,
  ]),
  namespacedRole('kube-system', 'extension-apiserver-authentication-reader', [
    allow('get list watch', 'core', 'configmaps', READ_AUTHENTICATION),
  ]),
  namespacedRole(
    'kube-system',
    'system::leader-locking-kube-controller-manager',
    rulesIn(context, leaderLock('kube-controller-manager')),
  ),
  namespacedRole(
    'kube-system',
    'system::leader-locking-kube-scheduler',
    rulesIn(context, leaderLock('kube-scheduler')),
  ),
  namespacedRole('kube-system', 'system:controller:bootstrap-signer', [
    allow('get list watch', 'core', 'secrets'),
  ]),
  namespacedRole('kube-system', 'system:controller:cloud-provider', [
    allow('create get list watch', 'core', 'configmaps'),
  ]),
  namespacedRole('kube-system', 'system:controller:token-cleaner', [
    allow('delete get list watch', 'core', 'secrets'),
    writeEvents,
  ]),
];

export const bootstrapRoleBindings = (): KubernetesObject[] => [
  binding('kube-public', 'system:controller:bootstrap-signer', 'system:controller:bootstrap-signer', [
    'ServiceAccount:kube-system/bootstrap-signer',
  ]),
  binding(
    'kube-system',
    'system::extension-apiserver-authentication-reader',
    'extension-apiserver-authentication-reader',
    ['User:system:kube-controller-manager', 'User:system:kube-scheduler'],
  ),
  binding(
    'kube-system',
    'system::leader-locking-kube-controller-manager',
    'system::leader-locking-kube-controller-manager',
    [
      'User:system:kube-controller-manager',
      'ServiceAccount:kube-system/kube-controller-manager',
      'ServiceAccount:kube-system/leader-election-controller',
    ],
  ),
  binding('kube-system', 'system::leader-locking-kube-scheduler', 'system::leader-locking-kube-scheduler', [
    'User:system:kube-scheduler',
    'ServiceAccount:kube-system/kube-scheduler',
  ]),
  ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((name) =>
    binding('kube-system', `system:controller:${name}`, `system:controller:${name}`, [
      `ServiceAccount:kube-system/${name}`,
    ]),
  ),
];
