const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'ordereds.collections.test';
const OBJECTS = '/apis/collections.test/v1/ordereds';
const maps = '/api/v1/namespaces/${ns}/configmaps';
const names = ['a', 'b', 'c', 'd', 'e', 'f'];

const definition = {
  metadata: { name: NAME, labels: { collection: 'x' } },
  spec: {
    group: 'collections.test',
    scope: 'Cluster',
    names: { plural: 'ordereds', kind: 'Ordered' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const object = { apiVersion: 'collections.test/v1', kind: 'Ordered', metadata: { name: 'kept' } };
const define = { method: 'POST', path: DEFINITIONS, body: definition };
const served = {
  name: 'served',
  run: async (ctx) => (await ctx.poll({ path: OBJECTS }, ({ status }) => status === 200)).status,
};
const left = {
  name: 'what is left',
  path: maps,
  accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
};
const remove = (name, path, options) => ({
  name,
  method: 'DELETE',
  path,
  ...(options && { body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options } }),
});

export default {
  title: 'Collections are deleted in order, up to the first refusal, without the rules of deletions by name',
  namespace: true,
  setup: [
    ...names.map((name) => ({ method: 'POST', path: maps, body: { metadata: { name } } })),
    { path: `${maps}/b`, save: { version: '/metadata/resourceVersion' } },
    {
      method: 'POST',
      path: `${ADMISSION}/validatingadmissionpolicies`,
      body: {
        metadata: { name: 'order-in-collections' },
        spec: {
          matchConstraints: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'c-order-in-collections' } },
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] },
            ],
          },
          validations: [{ expression: "oldObject.metadata.name != 'c'" }],
        },
      },
    },
    {
      method: 'POST',
      path: `${ADMISSION}/validatingadmissionpolicybindings`,
      body: {
        metadata: { name: 'order-in-collections' },
        spec: { policyName: 'order-in-collections', validationActions: ['Deny'] },
      },
    },
    async function waitForThePolicy(ctx) {
      const path = `/api/v1/namespaces/${ctx.vars.ns}/configmaps/c?dryRun=All`;
      await ctx.poll({ method: 'DELETE', path }, ({ status }) => status === 422);
    },
  ],
  steps: [
    remove('the version of the second', maps, { preconditions: { resourceVersion: '${version}' } }),
    remove('the third is refused, as a dry run', `${maps}?dryRun=All`),
    left,
    remove('the third is refused', maps),
    left,
    remove('a selection without it', `${maps}?fieldSelector=metadata.name!=c`),
    left,
    remove(
      'a class of the system by name',
      '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
    ),
    remove(
      'a class of the system in a collection',
      '/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All&fieldSelector=metadata.name=system-node-critical',
    ),
    { name: 'define', ...define, ignore: ['/status'] },
    served,
    { name: 'create', method: 'POST', path: OBJECTS, body: object },
    remove('a definition in a collection: uid', `${DEFINITIONS}?labelSelector=collection`, {
      preconditions: { uid: 'other' },
    }),
    remove('a definition by name: uid', `${DEFINITIONS}/${NAME}`, { preconditions: { uid: 'other' } }),
    { ...remove('the definition', `${DEFINITIONS}?labelSelector=collection`), ignore: ['/items/*/status'] },
    { name: 'it is gone at once', path: `${DEFINITIONS}/${NAME}` },
    {
      name: 'not served',
      run: async (ctx) => (await ctx.poll({ path: OBJECTS }, ({ status }) => status === 404)).status,
    },
    { name: 'define again', ...define, ignore: ['/status'] },
    served,
    { name: 'its objects have been kept', path: OBJECTS },
  ],
};
