import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';

const path = (version) => `/apis/nulls.example.com/${version}/namespaces/default/nulls`;
const withSpec = (name, properties) => version(name, specOf({ type: 'object', properties }));
const text = { type: 'string' };
const nullable = { ...text, nullable: true };
const nulls = definition(
  'nulls.example.com',
  'Namespaced',
  { plural: 'nulls', kind: 'Null' },
  withSpec('v1', { a: nullable, b: nullable, c: nullable }),
  withSpec('v2', { a: text, b: nullable, c: { ...text, default: 'c' } }),
);

export default {
  title: 'Nulls that a version does not allow, after a conversion to it',
  profile: 'extensions',
  setup: [{ method: 'POST', path: CRDS, body: nulls }, untilServed(path('v1'), path('v2'))],
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
