const maps = '/api/v1/namespaces/${ns}/configmaps';

export default {
  title: 'Paths below objects that no resource serves',
  namespace: true,
  setup: [{ method: 'POST', path: maps, body: { metadata: { name: 'a' } } }],
  steps: [
    { name: 'an unknown subresource', path: `${maps}/a/status` },
    { name: 'a subresource of a missing object', path: `${maps}/none/scale` },
    { name: 'a deeper path', path: `${maps}/a/status/deeper` },
    { name: 'a verb that a subresource lacks', method: 'DELETE', path: '/api/v1/namespaces/${ns}/status' },
    { name: 'a deprecated resource warns', path: '/api/v1/componentstatuses/none' },
    { name: 'its unknown subresource does not', path: '/api/v1/componentstatuses/none/status' },
    { name: 'a collection of a subresource', path: '/api/v1/namespaces/${ns}/finalize' },
  ],
};
