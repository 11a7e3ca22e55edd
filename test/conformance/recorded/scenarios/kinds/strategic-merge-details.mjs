const pods = '/api/v1/namespaces/${ns}/pods';
const strategic = (name, patch) => ({
  name,
  method: 'PATCH',
  path: `${pods}/p?dryRun=All`,
  contentType: 'application/strategic-merge-patch+json',
  body: patch,
});

export default {
  title: 'Directives of strategic merge patches in unusual places',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: pods,
      body: {
        metadata: { name: 'p', labels: { a: 'b' }, finalizers: ['x.test/a'] },
        spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] },
      },
    },
  ],
  steps: [
    strategic('$patch: merge is no directive of a map', {
      metadata: { labels: { $patch: 'merge', c: 'd' } },
    }),
    strategic('a new map with $patch is left out', {
      metadata: { annotations: { $patch: 'merge', c: 'd' } },
    }),
    strategic('a list is deleted by a map', { metadata: { finalizers: { $patch: 'delete' } } }),
    strategic('items to delete that are no list are ignored', {
      metadata: { '$deleteFromPrimitiveList/finalizers': 'x' },
    }),
    strategic('items to delete that are null delete the list', {
      metadata: { '$deleteFromPrimitiveList/finalizers': null },
    }),
    strategic('objects cannot be deleted without a merge key', {
      spec: { '$deleteFromPrimitiveList/tolerations': [{ key: 'x' }] },
    }),
    strategic('scalars cannot be merged with objects', { spec: { containers: ['x'] } }),
    strategic('a directive for lists without a name', { metadata: { $deleteFromPrimitiveListx: [] } }),
    strategic('an order without a name', { metadata: { $setElementOrderx: [] } }),
    strategic('an order of an unknown field', { spec: { '$setElementOrder/nosuch': [] } }),
    strategic('an order of a list that is null', {
      metadata: { '$setElementOrder/finalizers': [], finalizers: null },
    }),
    strategic('a null merge key', { spec: { volumes: [{ name: null }] } }),
    strategic('retained keys of a new map are an unknown field', {
      spec: { affinity: { $retainKeys: ['podAffinity'] } },
    }),
  ],
};
