const maps = '/api/v1/namespaces/${ns}/configmaps';
const scale = '/apis/apps/v1/namespaces/${ns}/deployments/d/scale';
const form = (as, version = 'v1', type = 'application/json') => `${type};as=${as};g=meta.k8s.io;v=${version}`;
const list = form('PartialObjectMetadataList');

export default {
  title: 'Metadata of objects without storage, of empty lists, and a list where there is one object',
  namespace: true,
  setup: [
    { method: 'POST', path: maps, body: { metadata: { name: 'a' } } },
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/${ns}/deployments',
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
    { name: 'a list of one object', path: `${maps}/a`, accept: list },
    { name: 'a list of a missing object', path: `${maps}/none`, accept: list },
    {
      name: 'an invalid object',
      method: 'POST',
      path: maps,
      accept: list,
      body: { metadata: { name: 'Bad' } },
    },
    { name: 'an empty list', path: `${maps}?labelSelector=none`, accept: list },
    { name: 'parameters without value', path: `${maps}/a`, accept: 'application/json;as=;g=;v=' },
    { name: 'a Table of an unknown form', path: `${maps}?includeObject=x`, accept: form('Table') },
    { name: 'a scale', path: scale, accept: form('PartialObjectMetadata') },
    { name: 'a list of a scale', path: scale, accept: list },
    {
      name: 'a review',
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      accept: form('PartialObjectMetadata'),
      body: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    },
    {
      name: 'the owners of a review',
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      managedFields: 'keep',
      body: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    },
    { name: 'a group for every method', method: 'POST', path: '/apis/apps', accept: 'application/*' },
    { name: 'the index of documents with a slash', path: '/openapi/v3/', accept: '*/*' },
    {
      name: 'replicas that nobody owns',
      method: 'PATCH',
      path: `${scale}?fieldManager=m`,
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 5 } },
    },
    {
      name: 'a scale of another namespace',
      method: 'PATCH',
      path: scale,
      contentType: 'application/merge-patch+json',
      body: { metadata: { namespace: 'other' } },
    },
    {
      name: 'a scale of another uid',
      method: 'PATCH',
      path: scale,
      contentType: 'application/merge-patch+json',
      body: { metadata: { uid: 'x' } },
    },
    {
      name: 'owners by the status',
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/${ns}/deployments/d/status',
      contentType: 'application/merge-patch+json',
      managedFields: 'keep',
      body: { metadata: { labels: { l: '1' }, annotations: { a: '1' } } },
    },
  ],
};
