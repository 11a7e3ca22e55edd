const pods = '/api/v1/namespaces/${ns}/pods';
const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
const create = (name, more, status) => ({
  name,
  method: 'POST',
  path: `${pods}?dryRun=All`,
  body: { metadata: { name: 'x' }, spec: { ...spec, ...more }, status },
});
const terms = [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['/x'] }] }];
const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
const quota = (name, hard) => ({
  name,
  method: 'POST',
  path: '/api/v1/namespaces/${ns}/resourcequotas?dryRun=All',
  body: { metadata: { name: 'q' }, spec: { hard } },
});
const bind = (name, path, metadata) => ({
  name,
  method: 'POST',
  path: `${path}?dryRun=All`,
  body: { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } },
});

export default {
  title: 'Rules of pods that ordinary objects do not meet',
  namespace: true,
  setup: [{ method: 'POST', path: pods, body: { metadata: { name: 'p' }, spec } }],
  steps: [
    create('values of a required node affinity need not be label values', {
      affinity: { nodeAffinity: required },
    }),
    {
      name: 'nor those of a volume',
      method: 'POST',
      path: '/api/v1/persistentvolumes?dryRun=All',
      body: {
        metadata: { name: 'kinds-pods' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
          nodeAffinity: { required: { nodeSelectorTerms: terms } },
        },
      },
    },
    create('a quality of service that the client sets is kept', {}, { qosClass: 'x', phase: 'Running' }),
    create('an empty one is computed', {}, { qosClass: '' }),
    quota('a count beyond an int64 of thousandths', { 'count/deployments.apps': '10000000000000000001' }),
    quota('a count that fits', { pods: '9223372036854775' }),
    {
      name: 'an eviction in another namespace',
      method: 'POST',
      path: `${pods}/p/eviction?dryRun=All`,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'other' } },
    },
    bind('the version of a binding is a precondition', `${pods}/p/binding`, {
      name: 'p',
      resourceVersion: '1',
    }),
    bind('its uid too', `${pods}/p/binding`, { name: 'p', uid: 'x' }),
    bind('but not in the collection of bindings', '/api/v1/namespaces/${ns}/bindings', {
      name: 'p',
      uid: 'x',
    }),
    bind('a name that is no path segment', '/api/v1/namespaces/${ns}/bindings', { name: 'a/b' }),
  ],
};
