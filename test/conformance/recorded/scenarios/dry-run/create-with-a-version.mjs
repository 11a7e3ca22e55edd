const maps = '/api/v1/namespaces/${ns}/configmaps';
const dry = `${maps}?dryRun=All`;
const named = (name, metadata) => ({ metadata: { name, ...metadata }, data: { a: '1' } });

export default {
  title: 'The store refuses a version on a new object, so a dry run accepts it',
  namespace: true,
  setup: [{ method: 'POST', path: maps, body: named('there') }],
  steps: [
    { name: 'a dry run', method: 'POST', path: dry, body: named('a', { resourceVersion: '7' }) },
    {
      name: 'a dry run of an existing name',
      method: 'POST',
      path: dry,
      body: named('there', { resourceVersion: '7' }),
    },
    {
      name: 'a generated name',
      method: 'POST',
      path: dry,
      body: { metadata: { generateName: 'g-', resourceVersion: '7' } },
    },
    {
      name: 'a PUT that creates',
      method: 'PUT',
      path: `/apis/coordination.k8s.io/v1/namespaces/\${ns}/leases/l?dryRun=All`,
      body: { metadata: { name: 'l', resourceVersion: '7' } },
    },
    {
      name: 'an apply that creates',
      method: 'PATCH',
      path: `${maps}/b?dryRun=All&fieldManager=m`,
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', ...named('b', { resourceVersion: '7' }) },
    },
    { name: 'a real creation', method: 'POST', path: maps, body: named('a', { resourceVersion: '7' }) },
    {
      name: 'a real creation with a version that is no number',
      method: 'POST',
      path: maps,
      body: named('c', { resourceVersion: 'x' }),
    },
    {
      name: 'a real creation with version 0',
      method: 'POST',
      path: maps,
      body: named('d', { resourceVersion: '0' }),
    },
    {
      name: 'a namespace',
      method: 'POST',
      path: '/api/v1/namespaces?dryRun=All',
      body: { metadata: { name: 'create-with-a-version', resourceVersion: '7' } },
    },
  ],
};
