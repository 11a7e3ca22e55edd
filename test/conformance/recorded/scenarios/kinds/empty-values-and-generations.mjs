import { patch, post, put } from '../../helpers/requests.mjs';

const policies = '/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies';
const slices = '/apis/discovery.k8s.io/v1/namespaces/${ns}/endpointslices';
const jobs = '/apis/batch/v1/namespaces/${ns}/jobs';
const job = (metadata, labels) => ({
  metadata,
  spec: {
    template: {
      metadata: { labels },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    },
  },
});
const apply = (name, spec) => ({
  name,
  method: 'PATCH',
  path: `${policies}/applied?fieldManager=m`,
  contentType: 'application/apply-patch+yaml',
  body: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'applied' }, spec },
});

export default {
  title: 'Empty values that count as a change, labels that a Job shares with its template',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: slices,
      body: { metadata: { name: 's' }, addressType: 'IPv4', endpoints: [], ports: [] },
    },
  ],
  steps: [
    apply('a policy', { podSelector: {}, egress: [{}] }),
    apply('empty labels', { podSelector: { matchLabels: {} }, egress: [{}] }),
    apply('empty labels again', { podSelector: { matchLabels: {} }, egress: [{}] }),
    apply('an empty list', { podSelector: {}, ingress: [], egress: [{ to: [] }] }),
    patch('empty labels of a slice', `${slices}/s`, { metadata: { labels: {}, annotations: { a: 'b' } } }),
    patch('labels of a slice', `${slices}/s`, { metadata: { labels: { a: 'b' } } }),
    patch('no labels of a slice', `${slices}/s`, { metadata: { labels: null } }),
    post('a job', jobs, job({ name: 'j' }, { tier: 'a' })),
    post('a job with a generated name', jobs, job({ generateName: 'g-' }, { tier: 'a' })),
    post('a job with both', jobs, job({ name: 'both', generateName: 'g-' }, { tier: 'a' })),
    put('a job again', `${jobs}/j/status`, { metadata: { name: 'j' }, status: {} }),
  ],
};
