import { describe, expect, it } from 'vitest';
import { resolveFieldPath } from '../../../src/kinds/apiextensions/field-path.ts';
import { patternError } from '../../../src/kinds/apiextensions/pattern-error.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { processorTime } from '../../support/processor-time.ts';
import { created, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('apiextensions.k8s.io');

const strategy = strategies['customresourcedefinitions']!;
const ROOT = 'spec.validation.openAPIV3Schema';

const version = (name: string, fields: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...fields,
});
const definition = (spec: object = {}, more: object = {}) => ({
  metadata: { name: 'goods.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural: 'goods', kind: 'Good' },
    versions: [version('v1', { storage: true })],
    ...spec,
  },
  ...more,
});
const withSchema = (openAPIV3Schema: object) =>
  definition({ versions: [version('v1', { storage: true, schema: { openAPIV3Schema } })] });
const withSpec = (schema: object) => withSchema({ type: 'object', properties: { spec: schema } });

describe('custom resource definitions', () => {
  it('defaults names from the kind, sets no conversion and clears the status', () => {
    const { object, errors } = created(strategy, definition({}, { status: { storedVersions: ['v9'] } }));
    expect(errors).toEqual([]);
    expect(object.spec).toMatchObject({
      names: { plural: 'goods', kind: 'Good', singular: 'good', listKind: 'GoodList' },
      conversion: { strategy: 'None' },
    });
    expect(object.status).toEqual({ storedVersions: ['v1'] });
  });

  it('adds every storage version to storedVersions', () => {
    const { object } = created(strategy, definition());
    const moved = definition(
      { versions: [version('v1'), version('v2', { storage: true })] },
      { status: object.status },
    );
    const result = updated(strategy, moved, object);
    expect(result.errors).toEqual([]);
    strategy.canonicalize!(result.object);
    expect(result.object.status).toEqual({ storedVersions: ['v1', 'v2'] });
    const removed = definition(
      { versions: [version('v2', { storage: true })] },
      { status: result.object.status },
    );
    expect(updated(strategy, removed, result.object).errors).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
    ]);
  });

  it('lets a status forget the storage version, but not all versions', () => {
    const storedVersions = (given: string[], subresource: string) => {
      const object = { ...definition(), status: { storedVersions: given } };
      strategy.canonicalize!(object, subresource);
      return object.status.storedVersions;
    };
    expect(storedVersions(['v9'], 'status')).toEqual(['v9']);
    expect(storedVersions([], 'status')).toEqual(['v1']);
    expect(storedVersions(['v9'], '')).toEqual(['v9', 'v1']);
  });

  it('rejects changes of kind and scope once established', () => {
    const { object } = created(strategy, definition());
    const other = definition(
      { scope: 'Cluster', names: { plural: 'goods', kind: 'Other' } },
      { status: object.status },
    );
    expect(updated(strategy, other, object).errors).toEqual([]);
    object.status = { ...(object.status as object), conditions: [{ type: 'Established', status: 'True' }] };
    expect(updated(strategy, other, object).errors).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Other": field is immutable',
    ]);
  });

  it.each([
    [{ group: 'nodots' }, ['spec.group: Invalid value: "nodots": should be a domain with at least one dot']],
    [
      { names: { plural: 'goods', kind: 'Good', listKind: 'Good' } },
      ['spec.names.listKind: Invalid value: "Good": kind and listKind may not be the same'],
    ],
    [
      { conversion: { strategy: 'Webhook' } },
      [
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    ],
    [
      {
        preserveUnknownFields: true,
        conversion: { strategy: 'Webhook' },
        versions: [
          version('v1', {
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { a: { type: 'array', items: { type: 'string', default: 'x' } } },
              },
            },
          }),
        ],
      },
      [
        'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
        'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      { preserveUnknownFields: true },
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      { versions: [version('v1', { storage: true, deprecationWarning: 'gone' })] },
      ['spec.versions[0].deprecationWarning: Invalid value: "gone": can only be set for deprecated versions'],
    ],
  ])('validates the spec %j', (spec, expected) =>
    expect(errorsOf(strategy, definition(spec))).toEqual(expected),
  );

  it('requires the name <plural>.<group>', () => {
    const textsOf = (name: string) => strategy.metadata!.validateName!(name, false, definition());
    expect(textsOf('goods.example.test')).toEqual([]);
    expect(textsOf('good.example.test')).toEqual(['must be spec.names.plural+"."+spec.group']);
  });

  it('requires an approval for protected groups', () => {
    const approved = (text?: string) =>
      errorsOf(strategy, {
        ...definition({ group: 'x.k8s.io' }),
        metadata: {
          name: 'goods.x.k8s.io',
          annotations: text === undefined ? {} : { 'api-approved.kubernetes.io': text },
        },
      });
    expect(approved('https://example.test/1')).toEqual([]);
    expect(approved('unapproved, a test')).toEqual([]);
    expect(approved()[0]).toMatch(/^metadata\.annotations\[api-approved\.kubernetes\.io\]: Required value/);
    expect(approved('yes')[0]).toMatch(/either a URL or a reason/);
  });
});

describe('schema validation', () => {
  it.each([
    [{}, 'type: Required value: must not be empty for specified object fields'],
    [{ type: 'array' }, 'items: Required value: must be specified'],
    [
      { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
      'additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [
      { type: 'object', allOf: [{ type: 'object' }] },
      'allOf[0].type: Forbidden: must be empty to be structural',
    ],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }] },
      'anyOf[0].type: Forbidden: must be empty to be structural',
    ],
    [{ $ref: '#/a' }, '$ref: Forbidden: $ref is not supported'],
    [
      { type: 'string', pattern: '(' },
      'pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
      'items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
    [
      { type: 'object', 'x-kubernetes-validations': [{ rule: 'a\nb' }] },
      'x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
    ],
  ])('validates the schema %j', (schema, expected) =>
    expect(errorsOf(strategy, withSpec(schema))).toEqual([`${ROOT}.properties[spec].${expected}`]),
  );

  it('accepts the two generated forms of int-or-string', () => {
    const choice = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
    expect(errorsOf(strategy, withSpec({ 'x-kubernetes-int-or-string': true, ...choice }))).toEqual([]);
    expect(
      errorsOf(strategy, withSpec({ 'x-kubernetes-int-or-string': true, allOf: [choice, { pattern: 'a' }] })),
    ).toEqual([]);
  });

  it('allows restrictions of metadata names only', () => {
    const metadata = (properties: object) =>
      withSchema({ type: 'object', properties: { metadata: { type: 'object', properties } } });
    expect(errorsOf(strategy, metadata({ name: { type: 'string', pattern: '^a' } }))).toEqual([]);
    expect(errorsOf(strategy, metadata({ labels: { type: 'object' } }))).toEqual([
      `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ]);
  });
});

it('resolves paths through properties and maps', () => {
  const string = { type: 'string' };
  const root = { properties: { m: { additionalProperties: string }, 'b.c': string, l: { items: string } } };
  const lead = (path: string) => resolveFieldPath(path, root);
  expect(lead('.m.x')).toEqual({ text: '.m.x', schema: string });
  expect(lead("['b.c']")).toEqual({ text: "['b.c']", schema: string });
  expect(lead('.m.]')).toEqual({ text: '.m.]', schema: string });
  for (const path of ['.nope', '.l[0]', '.constructor', 'm', '.', '', "['m", '[m]', "['m'.x"])
    expect(typeof lead(path), path).toBe('string');
});

it('reads a long path as far as it can be resolved', () => {
  const path = '.a'.repeat(1_400_000);
  const refuse = () => {
    for (let run = 0; run < 50; run += 1) expect(typeof resolveFieldPath(path, {})).toBe('string');
  };
  // The tokens of the whole path would take more than a tenth of a second each time.
  expect(processorTime(refuse)).toBeLessThan(1000);
});

it('accepts RE2 patterns that JavaScript does not support', () => {
  for (const pattern of ['^a+$', '(?i)a', '(?P<name>a)', '\\Aa\\z', '[[:alpha:]]'])
    expect(patternError(pattern), pattern).toBeUndefined();
  expect(patternError('(?=a)')).toBe('error parsing regexp: invalid or unsupported Perl syntax: `(?=`');
  expect(patternError('a)')).toBe('error parsing regexp: unexpected ): `a)`');
});
