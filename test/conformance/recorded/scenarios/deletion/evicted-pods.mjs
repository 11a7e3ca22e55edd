import { patch, post } from '../../helpers/requests.mjs';

const pods = '/api/v1/namespaces/${ns}/pods';
const budgets = '/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets';
const keep = { managedFields: 'keep' };
const pod = (name, spec) => ({
  method: 'POST',
  path: pods,
  body: {
    metadata: { name, labels: { app: name }, finalizers: ['example.com/stay'] },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }], ...spec },
  },
});
const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' };
const status = (name, conditions) => ({
  method: 'PATCH',
  path: `${pods}/${name}/status`,
  contentType: 'application/strategic-merge-patch+json',
  body: { status: { phase: 'Running', conditions } },
});
const budget = (name, counts) => [
  {
    method: 'POST',
    path: budgets,
    body: { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: name } } } },
  },
  {
    method: 'PATCH',
    path: `${budgets}/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: { observedGeneration: 1, expectedPods: 3, ...counts } },
  },
];
const evict = (label, name, deleteOptions) =>
  post(label, `${pods}/${name}/eviction?fieldManager=evictor`, { metadata: { name }, deleteOptions });
const look = (label, path) => ({ name: label, path, ...keep });

export default {
  title: 'An eviction marks the pod, and uses a disruption only for a pod that its budget keeps',
  namespace: true,
  setup: [
    pod('bound', {}),
    pod('pending', {}),
    pod('unready', {}),
    status('unready', []),
    ...budget('unready', { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3 }),
    pod('last', {}),
    status('last', [ready]),
    ...budget('last', { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 3 }),
    pod('negative', {}),
    status('negative', [ready]),
  ],
  steps: [
    {
      ...post('bind', `${pods}/bound/binding?fieldManager=scheduler`, {
        metadata: { name: 'bound' },
        target: { name: 'n' },
      }),
    },
    look('a bound pod', `${pods}/bound`),
    evict('evict a bound pod', 'bound', { gracePeriodSeconds: 5 }),
    look('an evicted pod', `${pods}/bound`),
    evict('a dry run', 'pending', { dryRun: ['All'] }),
    look('after a dry run', `${pods}/pending`),
    evict('another version', 'unready', { preconditions: { resourceVersion: '5' } }),
    evict('an unready pod', 'unready'),
    look('an unready pod that went', `${pods}/unready`),
    look('the budget of an unready pod', `${budgets}/unready`),
    evict('the last disruption', 'last'),
    look('the budget without disruptions', `${budgets}/last`),
    evict('options that exclude each other', 'negative', {
      propagationPolicy: 'Foreground',
      orphanDependents: true,
    }),
    look('marked only', `${pods}/negative`),
    patch('a pod that goes', `${pods}/bound`, { metadata: { finalizers: null } }),
  ],
};
