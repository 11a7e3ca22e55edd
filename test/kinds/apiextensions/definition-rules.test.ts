import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { created, errorsOf, updated } from '../run-strategy.ts';

const strategy = strategiesOf('apiextensions.k8s.io')['customresourcedefinitions']!;
const ROOT = 'spec.validation.openAPIV3Schema';
const string = { type: 'string' };

const definition = (spec: object) => ({
  metadata: { name: 'goods.example.test' },
  spec: { group: 'example.test', scope: 'Namespaced', names: { plural: 'goods', kind: 'Good' }, ...spec },
});
const version = (name: string, schema: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', ...schema } },
  ...more,
});
const errorsOfSchema = (schema: object, more: object = {}) =>
  errorsOf(strategy, definition({ versions: [version('v1', schema, more)] }));

describe('members of every object', () => {
  it('have their types at the root and in embedded resources', () => {
    const properties = {
      apiVersion: { type: 'integer' },
      kind: { type: 'array', items: string },
      metadata: string,
    };
    const expected = (at: string) => [
      `${at}.properties[apiVersion].type: Invalid value: "integer": must be string`,
      `${at}.properties[kind].type: Invalid value: "array": must be string`,
      `${at}.properties[metadata].type: Invalid value: "string": must be object`,
    ];
    expect(errorsOfSchema({ properties })).toEqual(expected(ROOT));
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties };
    expect(errorsOfSchema({ properties: { e: embedded } })).toEqual(expected(`${ROOT}.properties[e]`));
    expect(errorsOfSchema({ properties: { plain: { type: 'object', properties } } })).toEqual([]);
  });

  it('lets embedded metadata restrict more than names', () => {
    const metadata = { type: 'object', properties: { labels: { type: 'object' } } };
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { metadata } };
    expect(errorsOfSchema({ properties: { e: embedded } })).toEqual([]);
    expect(errorsOfSchema({ properties: { metadata } })).toHaveLength(1);
  });
});

describe('junctors at the root', () => {
  it('name only declared properties and items, at every depth', () => {
    const declared = { l: { type: 'array', items: { type: 'object', properties: { x: string } } } };
    const junctor = {
      properties: { l: { items: { properties: { x: {}, y: {} } } }, n: {} },
      not: { properties: { m: {} } },
    };
    expect(errorsOfSchema({ properties: declared, anyOf: [junctor] })).toEqual([
      `${ROOT}.properties[l].items.properties[y]: Required value: because it is defined in ${ROOT}.anyOf[0].properties[l].items.properties[y]`,
      `${ROOT}.properties[m]: Required value: because it is defined in ${ROOT}.anyOf[0].not.properties[m]`,
      `${ROOT}.properties[n]: Required value: because it is defined in ${ROOT}.anyOf[0].properties[n]`,
    ]);
  });

  it('are the only ones that are checked', () =>
    expect(
      errorsOfSchema({ properties: { s: { type: 'object', allOf: [{ properties: { zz: {} } }] } } }),
    ).toEqual([]));
});

describe('keys of map lists', () => {
  const at = `${ROOT}.properties[l]`;
  const errorsOfList = (items: object, keys = ['a']) =>
    errorsOfSchema({
      properties: {
        l: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items },
      },
    });

  it('are scalars that are always there', () => {
    const required = { type: 'object', required: ['a'] };
    expect(errorsOfList({ ...required, properties: { a: { type: 'string', nullable: true } } })).toEqual([
      `${at}.items.properties[a].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
    ]);
    expect(errorsOfList({ ...required, properties: { a: { type: 'array', items: string } } })).toEqual([
      `${at}.items.properties[a].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
    ]);
  });

  it('are not looked for in items that are no objects', () =>
    expect(errorsOfList({ type: 'array', items: string }, ['a', 'a'])).toEqual([
      `${at}.items.type: Invalid value: "array": must be object if parent array's x-kubernetes-list-type is map`,
    ]));
});

describe('the root beside a status subresource', () => {
  const status = { subresources: { status: {} } };
  const only = new RegExp(`^${ROOT.replaceAll('.', '\\.')}: Invalid value: .*: only \\[Description Type`);

  it.each([{ id: 'x' }, { $schema: 'x' }, { maxProperties: 9 }, { 'x-kubernetes-map-type': 'granular' }])(
    'cannot have %j',
    (keyword) => expect(errorsOfSchema(keyword, status)[0]).toMatch(only),
  );

  it('hides an unsupported dialect', () => {
    expect(errorsOfSchema({ $schema: 'x' }, status)).toHaveLength(1);
    expect(errorsOfSchema({ $schema: 'x' })).toEqual([
      `${ROOT}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`,
    ]);
  });

  it('may spell out false and empty keywords', () =>
    expect(
      errorsOfSchema({ nullable: false, id: '', 'x-kubernetes-embedded-resource': false }, status),
    ).toEqual([]));

  it('is an object', () =>
    expect(errorsOfSchema({ type: 'array', items: string }, status)).toContain(
      `${ROOT}.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`,
    ));
});

describe('selectable fields', () => {
  const paths = (...list: string[]) => ({ selectableFields: list.map((jsonPath) => ({ jsonPath })) });
  const schema = { properties: { s: string } };

  it('have no brackets', () =>
    expect(errorsOfSchema(schema, paths("['s']", '..s', '.s['))).toEqual([
      `spec.selectableFields[0].jsonPath: Invalid value: "['s']": is an invalid path: array notation is not allowed`,
      'spec.selectableFields[1].jsonPath: Invalid value: "..s": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[2].jsonPath: Invalid value: ".s[": is an invalid path: array notation is not allowed',
    ]));

  it('stand where the schema stands', () => {
    const fields = paths('.s');
    const differing = [
      version('v1', schema, fields),
      version('v2', { properties: { s: string, t: string } }, fields),
    ];
    expect(errorsOf(strategy, definition({ versions: differing }))).toEqual([
      'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
    ]);
    const equal = [version('v1', schema, fields), version('v2', schema)];
    expect(errorsOf(strategy, definition({ versions: equal }))).toEqual([
      'spec.versions[0].selectableFields: Invalid value: "": selectableFields may only be set when version.schema.openAPIV3Schema is not included',
    ]);
  });
});

describe('the CA bundle of a conversion webhook', () => {
  const withBundle = (caBundle: string | undefined) =>
    definition({
      versions: [version('v1', {})],
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x.test', caBundle } },
      },
    });
  const stored = (caBundle: string | undefined): KubernetesObject => {
    const { object, errors } = created(strategy, withBundle(caBundle));
    expect(errors).toEqual([]);
    return object;
  };
  const bad = Buffer.from('nope').toString('base64');

  it('may be invalid at creation, and stay so', () => {
    const old = stored(bad);
    const object = { ...withBundle(Buffer.from('no').toString('base64')), status: old.status };
    expect(updated(strategy, object, old).errors).toEqual([]);
  });

  it('cannot become invalid', () => {
    const old = stored(undefined);
    expect(updated(strategy, { ...withBundle(bad), status: old.status }, old).errors).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: []byte{0x6e, 0x6f, 0x70, 0x65}: unable to load root certificates: unable to parse bytes as PEM block',
    ]);
  });
});
