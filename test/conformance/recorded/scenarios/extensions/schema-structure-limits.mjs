import { CRDS, definition, version } from '../../helpers/definitions.mjs';

const text = { type: 'string' };
const object = (properties, extra = {}) => ({ type: 'object', properties, ...extra });
const limits = (...versions) =>
  definition('limits.example.com', 'Namespaced', { plural: 'limits', kind: 'Limit' }, ...versions);
const attempt = (name, body) => ({ name, method: 'POST', path: `${CRDS}?dryRun=All`, body });
const spec = (name, schema) => attempt(name, limits(version('v1', object({ spec: schema }))));
const metadata = (name, extra) =>
  attempt(name, limits(version('v1', object({ metadata: { type: 'object', ...extra } }))));

export default {
  title:
    'What counts as the structure of a schema: absent and empty keywords, junctors, metadata, nested unions',
  profile: 'extensions',
  steps: [
    spec(
      'integer or string without the extension',
      object({ a: text }, { anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    ),
    spec(
      'the same with an empty list of required names',
      object({}, { anyOf: [{ type: 'integer', required: [] }, { type: 'string' }] }),
    ),
    spec(
      'no additional properties in a junctor',
      object({ a: text }, { allOf: [{ additionalProperties: false }] }),
    ),
    spec(
      'additional properties in a junctor',
      object({ a: text }, { allOf: [{ additionalProperties: true }] }),
    ),
    spec('the type null', object({ a: { type: 'null' } })),
    spec('an empty reference', object({ a: { $ref: '' } })),
    spec('fields that are not kept', object({ a: { 'x-kubernetes-preserve-unknown-fields': false } })),
    spec('schemas in a list of items and in definitions', {
      ...{ type: 'array', items: [{ type: 'q' }, text] },
      ...{ definitions: { d: { type: 'r' } }, dependencies: { e: { type: 's' }, f: ['g'] } },
    }),
    spec('an unknown keyword inside items', { type: 'array', items: { type: 'string', odd: 1 } }),
    spec('a wrong type inside items', { type: 'array', items: object({ a: { maximum: 'x' } }) }),
    metadata('metadata with a description', { description: 'd' }),
    metadata('metadata with empty lists', { enum: [], allOf: [] }),
    metadata('metadata with an empty list type', { 'x-kubernetes-list-type': '' }),
    metadata('metadata with external documentation', {
      externalDocs: { url: 'x' },
      example: 1,
      definitions: {},
    }),
    metadata('a default of metadata', { default: 'x' }),
    metadata('a default of the name', { properties: { name: { type: 'string', default: 5 } } }),
    metadata('defaults of map values', { additionalProperties: { type: 'string', default: 'x' } }),
    attempt('a root default that is a list', limits(version('v1', object({ a: text }, { default: [] })))),
    spec('wrong defaults of map values', {
      type: 'object',
      additionalProperties: { type: 'string', default: 1 },
    }),
    spec('a rule about the old value of a default', {
      ...{ type: 'integer', default: 3 },
      'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'old' }],
    }),
    attempt(
      'subresources of all versions, schemas of each',
      limits(
        version('v1', object({ a: text }, { minProperties: 1 }), { subresources: { status: {} } }),
        version('v2', object({ b: text }), { subresources: { status: {} } }),
      ),
    ),
    attempt(
      'a schema of all versions, a subresource of one',
      limits(
        version('v1', object({ a: text }, { minProperties: 1 })),
        version('v2', object({ a: text }, { minProperties: 1 }), { subresources: { status: {} } }),
      ),
    ),
    attempt('a webhook without members', {
      ...limits(version('v1', object({ a: text }))),
      spec: {
        ...limits(version('v1', object({ a: text }))).spec,
        conversion: { strategy: 'None', webhook: {} },
      },
    }),
  ],
};
