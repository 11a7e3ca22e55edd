const account = '/api/v1/namespaces/${ns}/serviceaccounts';
const node = {
  headers: { 'impersonate-user': 'system:node:token-details', 'impersonate-group': 'system:nodes' },
  token: 'admin-token',
};
const request = (name, body, as = 'admin') => ({
  name,
  method: 'POST',
  path: `${account}/other/token`,
  body,
  as,
  ignore: ['/status/token'],
});
const bound = (reference) => ({ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...reference } } });

export default {
  title: 'TokenRequest: bound objects, namespaces; a bearer token behind two spaces',
  namespace: true,
  setup: [
    { method: 'POST', path: account, body: { metadata: { name: 'other' } } },
    {
      method: 'POST',
      path: '/api/v1/namespaces/${ns}/pods',
      body: { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  ],
  steps: [
    request('a pod without name', bound({})),
    request('a secret without name', bound({ kind: 'Secret' })),
    request('a pod of another account', bound({ name: 'pod' })),
    request('a pod of another account with another uid', bound({ name: 'pod', uid: 'x' })),
    request('another namespace', { metadata: { namespace: 'elsewhere' } }),
    {
      name: 'two spaces',
      path: '/api/v1/pods',
      as: { headers: { authorization: 'Bearer  alice-token' } },
    },
    {
      name: 'a mirror pod with a secret in its environment',
      method: 'POST',
      path: '/api/v1/namespaces/${ns}/pods?dryRun=All',
      body: {
        metadata: { name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
        spec: {
          nodeName: 'n',
          containers: [
            {
              name: 'c',
              image: 'i',
              env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
            },
          ],
        },
      },
      as: 'admin',
    },
    request('a node for an account', {}, node),
  ],
};
