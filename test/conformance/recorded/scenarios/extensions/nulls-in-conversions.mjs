const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = (version) => `/apis/nulls.example.com/${version}/namespaces/default/nulls`;
const version = (name, properties) => ({
  ...{ name, served: true, storage: name === 'v1' },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});
const text = { type: 'string' };
const nullable = { ...text, nullable: true };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'nulls.nulls.example.com' },
  spec: {
    group: 'nulls.example.com',
    scope: 'Namespaced',
    names: { plural: 'nulls', kind: 'Null' },
    versions: [
      version('v1', { a: nullable, b: nullable, c: nullable }),
      version('v2', { a: text, b: nullable, c: { ...text, default: 'c' } }),
    ],
  },
};

export default {
  title: 'Nulls that a version does not allow, after a conversion to it',
  profile: 'extensions',
  setup: [
    { method: 'POST', path: CRDS, body: definition },
    async function untilServed(ctx) {
      await ctx.poll({ path: path('v1') }, ({ status }) => status === 200);
      await ctx.poll({ path: path('v2') }, ({ status }) => status === 200);
    },
  ],
  steps: [
    {
      name: 'create',
      method: 'POST',
      path: path('v1'),
      body: {
        apiVersion: 'nulls.example.com/v1',
        kind: 'Null',
        metadata: { name: 'one' },
        spec: { a: null, b: null, c: null },
      },
    },
    { name: 'in its version', path: `${path('v1')}/one` },
    { name: 'in the other version', path: `${path('v2')}/one` },
    { name: 'listed in the other version', path: path('v2') },
    {
      name: 'changed in the other version',
      method: 'PATCH',
      path: `${path('v2')}/one`,
      contentType: 'application/merge-patch+json',
      body: { spec: { b: 'x' } },
    },
  ],
};
