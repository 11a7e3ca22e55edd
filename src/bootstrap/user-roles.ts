import { allow, allowPaths, inCase, type RoleDeclaration, role } from './declarations.ts';

const MONITORING = '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*';

/** Roles for users and API clients. */
export const USER_ROLES: readonly RoleDeclaration[] = [
  role('cluster-admin', [allow('*', '*', '*'), allowPaths('*', '*')]),
  role('admin', [], { aggregates: true }),
  role('edit', [], { aggregates: true, partOf: 'admin' }),
  role('view', [], { aggregates: true, partOf: 'edit' }),
  role(
    'system:aggregate-to-admin',
    [
      allow('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
      allow(
        'create delete deletecollection get list patch update watch',
        'rbac.authorization.k8s.io',
        'rolebindings roles',
      ),
    ],
    { partOf: 'admin' },
  ),
  role(
    'system:aggregate-to-edit',
    [
      allow(
        'get list watch',
        'core',
        'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy',
      ),
      allow('impersonate', 'core', 'serviceaccounts'),
      allow(
        'create delete deletecollection patch update',
        'core',
        'pods pods/attach pods/exec pods/portforward pods/proxy',
      ),
      allow('create', 'core', 'pods/eviction'),
      inCase(
        { until: '1.35' },
        allow(
          'create delete deletecollection patch update',
          'core',
          'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        ),
      ),
      inCase(
        { since: '1.35' },
        allow(
          'create delete deletecollection patch update',
          'core',
          'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        ),
      ),
      allow('create', 'core', 'serviceaccounts/token'),
      inCase(
        { since: '1.35' },
        allow('create delete deletecollection patch update', 'core events.k8s.io', 'events'),
      ),
      allow(
        'create delete deletecollection patch update',
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      allow('create delete deletecollection patch update', 'autoscaling', 'horizontalpodautoscalers'),
      allow('create delete deletecollection patch update', 'batch', 'cronjobs jobs'),
      allow(
        'create delete deletecollection patch update',
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      allow('create delete deletecollection patch update', 'policy', 'poddisruptionbudgets'),
      allow('create delete deletecollection patch update', 'networking.k8s.io', 'ingresses networkpolicies'),
      allow('create delete deletecollection get list patch update watch', 'coordination.k8s.io', 'leases'),
      inCase(
        { since: '1.34', gate: 'DynamicResourceAllocation' },
        allow(
          'create delete deletecollection patch update',
          'resource.k8s.io',
          'resourceclaims resourceclaimtemplates',
        ),
      ),
      inCase(
        { since: '1.36', gate: 'GenericWorkload' },
        allow('create delete deletecollection patch update', 'scheduling.k8s.io', 'podgroups workloads'),
      ),
      inCase(
        { gate: 'CompositePodGroup' },
        allow('create delete deletecollection patch update', 'scheduling.k8s.io', 'compositepodgroups'),
      ),
      inCase(
        { gate: 'EvictionRequestAPI' },
        allow('create delete deletecollection patch update', 'lifecycle.k8s.io', 'evictionrequests'),
      ),
    ],
    { partOf: 'edit' },
  ),
  role(
    'system:aggregate-to-view',
    [
      allow(
        'get list watch',
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      inCase(
        { until: '1.35' },
        allow(
          'get list watch',
          'core',
          'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      inCase(
        { since: '1.35' },
        allow(
          'get list watch',
          'core',
          'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      allow('get list watch', 'core', 'namespaces'),
      inCase({ since: '1.35' }, allow('get list watch', 'core events.k8s.io', 'events')),
      allow('get list watch', 'discovery.k8s.io', 'endpointslices'),
      allow(
        'get list watch',
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      allow('get list watch', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      allow('get list watch', 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      allow(
        'get list watch',
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      allow('get list watch', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      allow('get list watch', 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
      inCase(
        { since: '1.34', gate: 'DynamicResourceAllocation' },
        allow(
          'get list watch',
          'resource.k8s.io',
          'resourceclaims resourceclaims/status resourceclaimtemplates',
        ),
      ),
      inCase(
        { since: '1.36', gate: 'GenericWorkload' },
        allow('get list watch', 'scheduling.k8s.io', 'podgroups podgroups/status workloads'),
      ),
      inCase(
        { gate: 'CompositePodGroup' },
        allow('get list watch', 'scheduling.k8s.io', 'compositepodgroups compositepodgroups/status'),
      ),
      inCase(
        { gate: 'EvictionRequestAPI' },
        allow('get list watch', 'lifecycle.k8s.io', 'evictionrequests evictions'),
      ),
    ],
    { partOf: 'view' },
  ),
  role('system:basic-user', [
    allow('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    allow('create', 'authentication.k8s.io', 'selfsubjectreviews'),
  ]),
  role('system:discovery', [
    allowPaths(
      'get',
      '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
    ),
  ]),
  role('system:public-info-viewer', [allowPaths('get', '/healthz /livez /readyz /version /version/')]),
  role('system:monitoring', [
    inCase({ until: '1.36' }, allowPaths('get', MONITORING)),
    // Sorted, as the rule lists them.
    inCase({ since: '1.36' }, ({ isOn }) =>
      allowPaths(
        'get',
        `${isOn('ComponentFlagz') ? '/flagz ' : ''}${MONITORING}${isOn('ComponentStatusz') ? ' /statusz' : ''}`,
      ),
    ),
    inCase({ since: '1.34' }, allow('get', 'core', 'nodes/metrics')),
    inCase({ until: '1.36', gate: 'ComponentFlagz' }, allowPaths('get', '/flagz')),
    inCase({ until: '1.36', gate: 'ComponentStatusz' }, allowPaths('get', '/statusz')),
  ]),
  role('system:auth-delegator', [
    allow('create', 'authentication.k8s.io', 'tokenreviews'),
    allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
  ]),
  role('system:service-account-issuer-discovery', [
    allowPaths(
      'get',
      '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
    ),
  ]),
  role(
    'system:cluster-trust-bundle-discovery',
    [allow('get list watch', 'certificates.k8s.io', 'clustertrustbundles')],
    { gate: 'ClusterTrustBundle' },
  ),
];
