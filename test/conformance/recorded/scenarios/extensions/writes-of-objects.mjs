const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/writes.example.com/v1/namespaces/default/writes';
const one = `${path}/one`;
const integer = { type: 'integer' };
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { ...integer, 'x-kubernetes-validations': [{ rule: 'self < 9' }] },
        replicas: integer,
        text: { type: 'string' },
        preset: { type: 'string', default: 'p' },
        pod: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: { type: 'object', properties: { replicas: integer, selector: { type: 'string' } } },
  },
};
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'writes.writes.example.com' },
  spec: {
    group: 'writes.example.com',
    scope: 'Namespaced',
    names: { plural: 'writes', kind: 'Write' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {}, scale },
      },
    ],
  },
};
const object = (spec, metadata = { name: 'one' }) => ({
  apiVersion: 'writes.example.com/v1',
  kind: 'Write',
  metadata,
  spec,
});
const merge = (name, body, at = one) => ({
  name,
  method: 'PATCH',
  path: `${at}?dryRun=All`,
  contentType: 'application/merge-patch+json',
  body,
});
const apply = (name, body) => ({
  name,
  method: 'PATCH',
  path: `${one}?dryRun=All&fieldManager=m`,
  contentType: 'application/apply-patch+yaml',
  body: JSON.stringify(body),
});

export default {
  title:
    'Writes of custom objects: values for scale, nulls that are applied, metadata in status updates, finalizers, ownership',
  profile: 'extensions',
  managedFields: 'keep',
  setup: [
    { method: 'POST', path: CRDS, body: definition },
    async function untilServed(ctx) {
      await ctx.poll({ path }, ({ status }) => status === 200);
    },
  ],
  steps: [
    {
      name: 'create with an embedded resource',
      method: 'POST',
      path: `${path}?fieldManager=c`,
      body: object({ n: 1, pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } }),
    },
    { name: 'create without a name', method: 'POST', path: `${path}?dryRun=All`, body: object({ n: 9 }, {}) },
    {
      name: 'create with a version',
      method: 'POST',
      path: `${path}?dryRun=All`,
      body: object({}, { name: 'two', resourceVersion: '5' }),
    },
    {
      name: 'create with finalizers',
      method: 'POST',
      path: `${path}?dryRun=All`,
      body: object({}, { name: 'two', finalizers: ['a', 'a.b', 'a.b/c', 'orphan'] }),
    },
    merge('a finalizer is added', { metadata: { finalizers: ['plain'] } }),
    merge('a spec that is a number', { spec: 5 }),
    merge('another kind, and a rule that fails', { kind: 'Other', spec: { n: 10 } }),
    merge('no version', { apiVersion: null }),
    merge('a status of another type', { status: 5 }),
    merge('a status of another type, by status', { status: [] }, `${one}/status`),
    merge(
      'metadata by status',
      { metadata: { uid: 'x', labels: { a: 'b' }, generateName: 'g-' }, status: { replicas: 1 } },
      `${one}/status`,
    ),
    merge('values for scale by status', { status: { replicas: -1 } }, `${one}/status`),
    merge('an empty list of field managers', { metadata: { managedFields: [] } }),
    merge('field managers are reset', { metadata: { managedFields: [{}] } }),
    apply('apply a null', object({ text: null })),
    apply('apply a null that has a default', object({ preset: null })),
    { name: 'read', path: one },
  ],
};
