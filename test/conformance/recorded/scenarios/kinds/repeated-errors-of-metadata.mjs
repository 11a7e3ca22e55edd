import { patch } from '../../helpers/requests.mjs';

const spec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec };
const selector = { matchLabels: { a: 'b' } };
const inNamespace = (group, resource) => `${group}/namespaces/\${ns}/${resource}`;
const named = (resource) => `/apis/${resource}`;
const kinds = [
  [inNamespace('/apis/apps/v1', 'daemonsets'), { spec: { selector, template } }],
  [inNamespace('/apis/apps/v1', 'deployments'), { spec: { selector, template } }],
  [inNamespace('/api/v1', 'limitranges'), { spec: { limits: [] } }],
  [
    inNamespace('/api/v1', 'persistentvolumeclaims'),
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
  ],
  [inNamespace('/apis/policy/v1', 'poddisruptionbudgets'), { spec: { minAvailable: 1 } }],
  [inNamespace('/apis/rbac.authorization.k8s.io/v1', 'roles'), { rules: [] }],
  [named('storage.k8s.io/v1/csinodes'), { spec: { drivers: [] } }],
  [named('admissionregistration.k8s.io/v1/validatingwebhookconfigurations'), { webhooks: [] }],
  [
    inNamespace('/apis/batch/v1', 'cronjobs'),
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
      },
    },
  ],
];
const bad = {
  uid: 'other',
  labels: { 'a b': 'c' },
  finalizers: ['unqualified', 'bad name'],
};

export default {
  title: 'Errors of metadata repeat as often as a kind validates it, in its order',
  namespace: true,
  setup: kinds.map(([path, body]) => ({
    method: 'POST',
    path,
    body: { metadata: { name: 'repeated' }, ...body },
  })),
  steps: kinds.flatMap(([path]) => [
    patch(path, `${path}/repeated`, { metadata: bad }),
    patch(`${path} status`, `${path}/repeated/status`, { metadata: { labels: bad.labels } }),
  ]),
};
