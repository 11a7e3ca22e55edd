import { describe, expect, it } from 'vitest';
import {
  coerceEmbeddedResources,
  coerceMetadata,
  validateEmbeddedResource,
} from '../../../src/kinds/validation/metadata-coercion.ts';
import { Structure } from '../../../src/schema/structural/index.ts';
import { runNow } from '../../../src/steps/run.ts';

const structure = new Structure({
  type: 'object',
  properties: new Map([
    ['one', { type: 'object', isEmbeddedResource: true, preservesUnknownFields: true }],
    [
      'many',
      {
        type: 'array',
        items: { type: 'object', isEmbeddedResource: true, preservesUnknownFields: true },
      },
    ],
  ]),
});
const coerce = (object: object, coercion: 'refuse' | 'drop'): string[] =>
  coerceEmbeddedResources(runNow(structure.embeddedResources(object)), coercion);
const errorsOf = (one: unknown): string[] =>
  runNow(structure.embeddedResources({ one }))
    .flatMap(validateEmbeddedResource)
    .map(({ type, field, body }) => `${type} ${field}: ${body}`);

describe('coerceMetadata', () => {
  it('reports unknown members', () => {
    const plain = { name: 'n', odd: 1, ownerReferences: [{ uid: 'u', odd: 1 }] };
    expect(coerceMetadata(plain, 'refuse')).toEqual({
      metadata: { name: 'n', ownerReferences: [{ uid: 'u' }] },
      unknown: ['odd', 'ownerReferences[0].odd'],
    });
  });

  it('refuses a value of the wrong type', () => {
    expect(() => coerceMetadata({ name: 'n', annotations: { ok: 1 } }, 'refuse')).toThrow(
      'json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type string',
    );
  });

  it('drops stored members of the wrong type as a whole', () => {
    const plain = { name: 'n', annotations: { ok: 1 }, labels: { a: 'b' }, generation: 'x', __proto__: null };
    expect(coerceMetadata(plain, 'drop').metadata).toEqual({ name: 'n', labels: { a: 'b' } });
    expect(coerceMetadata('text', 'drop').metadata).toEqual({});
    expect(coerceMetadata(null, 'drop').metadata).toEqual({});
  });
});

describe('coerceEmbeddedResources', () => {
  it('removes unknown members of metadata and reports them', () => {
    const object = {
      one: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'n', odd: 1, creationTimestamp: null },
        data: 1,
      },
      many: [{ apiVersion: 'v1', kind: 'Pod', metadata: { odd: 1 } }],
    };
    expect(coerce(object, 'refuse')).toEqual(['many[0].metadata.odd', 'one.metadata.odd']);
    expect(object).toEqual({
      one: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'n' }, data: 1 },
      many: [{ apiVersion: 'v1', kind: 'Pod', metadata: {} }],
    });
  });

  it.each([
    [
      { metadata: { name: 5 } },
      'one.metadata: Invalid value: map[string]interface {}{"name":5}: json: cannot',
    ],
    [{ metadata: 'x' }, 'one.metadata: Invalid value: "x": json: cannot unmarshal string'],
    [{ metadata: { creationTimestamp: 'yesterday' } }, 'one.metadata: Invalid value'],
    [{ apiVersion: 1 }, 'one.apiVersion: Invalid value: 1: must be a string'],
  ])('refuses %j in a request', (one, message) => {
    expect(() => coerce({ one }, 'refuse')).toThrow(message);
  });

  it('drops values of the wrong type from a stored object', () => {
    const object = { one: { apiVersion: 1, kind: 'Pod', metadata: { name: 5, labels: { a: 'b' } } } };
    coerce(object, 'drop');
    expect(object).toEqual({ one: { kind: 'Pod', metadata: { labels: { a: 'b' } } } });
    const text = { one: { metadata: 'x' } };
    coerce(text, 'drop');
    expect(text).toEqual({ one: { metadata: 'x' } });
  });
});

describe('validateEmbeddedResource', () => {
  const pod = (metadata: unknown): unknown => ({ apiVersion: 'v1', kind: 'Pod', metadata });

  it.each([
    [{}],
    [{ name: 'UPPER' }],
    [{ generateName: 'x-' }],
    [{ name: 'n', namespace: 'default', finalizers: ['unqualified'] }],
  ])('accepts metadata %j', (metadata) => expect(errorsOf(pod(metadata))).toEqual([]));

  it.each([
    [{ name: 'a/b' }, `FieldValueInvalid one.metadata.name: Invalid value: "a/b": may not contain '/'`],
    [{ namespace: 'Bad!' }, 'FieldValueInvalid one.metadata.namespace: Invalid value: "Bad!": a lowercase'],
    [{ labels: { 'b d': 'x' } }, 'FieldValueInvalid one.metadata.labels: Invalid value: "b d": name part'],
    ['x', 'FieldValueInvalid one.metadata: Invalid value: "x": json: cannot unmarshal string'],
  ])('rejects metadata %j', (metadata, expected) =>
    expect(errorsOf(pod(metadata))).toEqual([expect.stringContaining(expected)]),
  );

  it('requires apiVersion and kind', () => {
    expect(errorsOf({})).toEqual([
      'FieldValueRequired one.apiVersion: Required value: must not be empty',
      'FieldValueRequired one.kind: Required value: must not be empty',
    ]);
  });
});
