import { CRDS, definition, untilServed, version } from '../../helpers/definitions.mjs';
import { create, merge } from '../../helpers/dry-run.mjs';

const path = '/apis/writes.example.com/v1/namespaces/default/writes';
const one = `${path}/one`;
const status = `${one}/status`;
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
const writes = definition(
  'writes.example.com',
  'Namespaced',
  { plural: 'writes', kind: 'Write' },
  version('v1', schema, { subresources: { status: {}, scale } }),
);
const object = (spec, metadata = { name: 'one' }) => ({
  apiVersion: 'writes.example.com/v1',
  kind: 'Write',
  metadata,
  spec,
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
  setup: [{ method: 'POST', path: CRDS, body: writes }, untilServed(path)],
  steps: [
    {
      name: 'create with an embedded resource',
      method: 'POST',
      path: `${path}?fieldManager=c`,
      body: object({ n: 1, pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } }),
    },
    create('create without a name', path, object({ n: 9 }, {})),
    create('create with a version', path, object({}, { name: 'two', resourceVersion: '5' })),
    create(
      'create with finalizers',
      path,
      object({}, { name: 'two', finalizers: ['a', 'a.b', 'a.b/c', 'orphan'] }),
    ),
    merge('a finalizer is added', one, { metadata: { finalizers: ['plain'] } }),
    merge('a spec that is a number', one, { spec: 5 }),
    merge('another kind, and a rule that fails', one, { kind: 'Other', spec: { n: 10 } }),
    merge('no version', one, { apiVersion: null }),
    merge('a status of another type', one, { status: 5 }),
    merge('a status of another type, by status', status, { status: [] }),
    merge('metadata by status', status, {
      metadata: { uid: 'x', labels: { a: 'b' }, generateName: 'g-' },
      status: { replicas: 1 },
    }),
    merge('values for scale by status', status, { status: { replicas: -1 } }),
    merge('an empty list of field managers', one, { metadata: { managedFields: [] } }),
    merge('field managers are reset', one, { metadata: { managedFields: [{}] } }),
    apply('apply a null', object({ text: null })),
    apply('apply a null that has a default', object({ preset: null })),
    {
      name: 'free-form members',
      method: 'PATCH',
      path: `${one}?fieldManager=c`,
      contentType: 'application/merge-patch+json',
      body: { spec: { pod: { free: { map: { a: 1 }, list: [1], text: 'x' } } } },
    },
    apply('a null keeps a map', object({ pod: { free: { map: null } } })),
    apply('but no list', object({ pod: { free: { list: null } } })),
    merge('a map becomes a text', one, { spec: { pod: { free: { map: 'x' } } } }),
    merge('a text becomes a map', one, { spec: { pod: { free: { text: { a: 1 } } } } }),
    { name: 'read', path: one },
  ],
};
