import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';

const group = 'empties.example.com';
const things = `/apis/${group}/v1/namespaces/\${ns}/things`;
const text = { type: 'string' };
const object = (properties) => ({ type: 'object', properties });
const spec = object({
  a: { ...text, default: 'A' },
  inner: object({ x: { ...text, default: 'X' }, y: text }),
  whole: { ...object({ x: { ...text, default: 'X' } }), default: {} },
  map: { type: 'object', additionalProperties: text },
});
const apply = (name, label, rest) => ({
  name: `${name}: ${label}`,
  method: 'PATCH',
  path: `${things}/${name}?fieldManager=m&force=true`,
  contentType: 'application/apply-patch+yaml',
  body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name, ...rest.metadata }, spec: rest.spec },
  managedFields: 'keep',
});
const repeat = (name, spec) => ['first', 'second', 'third'].map((label) => apply(name, label, { spec }));

export default {
  title:
    'What an empty value of a configuration owns is removed when it is applied again, and gets its defaults',
  namespace: true,
  setup: [
    {
      method: 'POST',
      path: CRDS,
      body: definition(group, 'Namespaced', { plural: 'things', kind: 'Thing' }, version('v1', specOf(spec))),
    },
    untilServed(`/apis/${group}/v1/things`),
  ],
  steps: [
    ...repeat('spec', {}),
    apply('spec', 'with a label', { metadata: { labels: { a: 'b' } }, spec: {} }),
    ...repeat('inner', { inner: {} }),
    ...repeat('whole', { whole: {} }),
    apply('map', 'first', { spec: { map: {} } }),
    {
      name: 'map: a value of another manager',
      method: 'PATCH',
      path: `${things}/map?fieldManager=other`,
      contentType: 'application/merge-patch+json',
      body: { spec: { map: { k: 'v' } } },
    },
    apply('map', 'second', { spec: { map: {} } }),
    apply('map', 'null', { spec: { map: null } }),
  ],
};
