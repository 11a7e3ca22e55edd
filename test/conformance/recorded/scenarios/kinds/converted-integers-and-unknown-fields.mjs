const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const policies = '/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies';
const pods = '/api/v1/namespaces/${ns}/pods';
const patch = (type, name, path, body, query = '') => ({
  name,
  method: 'PATCH',
  path: `${path}?dryRun=All${query}`,
  contentType: `application/${type}`,
  body,
});
const apply = (name, path, body) => patch('apply-patch+yaml', name, path, body, '&fieldManager=m&force=true');
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
const policy = (from) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'n' },
  spec: { podSelector: {}, ingress: [{ from: [from] }] },
});

export default {
  title: 'Integers beyond 32 bits in merged objects, and unknown fields in atomic values',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: deployments,
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
  ],
  steps: [
    apply('an applied integer loses its upper bits', `${deployments}/d`, {
      ...deployment,
      spec: { replicas: 4294967298 },
    }),
    apply('and may become negative', `${deployments}/d`, { ...deployment, spec: { replicas: 2147483648 } }),
    patch('strategic-merge-patch+json', 'so does one of a strategic merge patch', `${deployments}/d`, {
      spec: { replicas: 4294967299 },
    }),
    patch('merge-patch+json', 'but not one of a merge patch', `${deployments}/d`, {
      spec: { replicas: 4294967299 },
    }),
    apply('an int-or-string is refused', `${deployments}/d`, {
      ...deployment,
      spec: { strategy: { rollingUpdate: { maxSurge: 4294967299 } } },
    }),
    apply('an unknown field in an atomic list', `${policies}/n`, policy({ unknownField: 1 })),
    apply('an unknown field in an atomic map', `${policies}/n`, policy({ podSelector: { MATCHLABELS: {} } })),
    apply('a wrong type in an atomic list', `${policies}/n`, policy({ ipBlock: { cidr: 1 } })),
    apply('managed fields without entries', `${deployments}/d`, {
      ...deployment,
      metadata: { name: 'd', managedFields: [null] },
      spec: { replicas: 2 },
    }),
    apply('an empty list of managed fields', `${deployments}/d`, {
      ...deployment,
      metadata: { name: 'd', managedFields: [] },
    }),
    {
      name: 'a warning with control characters is dropped',
      method: 'POST',
      path: `${pods}?dryRun=All`,
      body: {
        metadata: { name: 'p' },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, hostIP: 'a\nb' }] }],
        },
      },
    },
  ],
};
