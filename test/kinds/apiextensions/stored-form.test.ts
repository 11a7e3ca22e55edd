import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toServedDefinition, toStoredDefinition } from '../../../src/kinds/apiextensions/stored-form.ts';

type Plain = Record<string, unknown>;
const column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const schema = (type: string) => ({ openAPIV3Schema: { type } });
const definition = (spec: object): Plain => ({
  metadata: { name: 'as.example.test' },
  spec: { group: 'example.test', preserveUnknownFields: false, ...spec },
});
const specOf = (plain: Plain): Plain => plain.spec as Plain;

describe('stored definitions', () => {
  it('hoists members that all versions share', () => {
    const shared = {
      schema: schema('object'),
      additionalPrinterColumns: [column],
      subresources: { status: {} },
    };
    const spec = specOf(
      toStoredDefinition(
        definition({
          versions: [
            { name: 'v1', storage: true, ...shared },
            { name: 'v2', ...shared },
          ],
        }),
      ),
    );
    expect(spec).toEqual({
      group: 'example.test',
      version: 'v1',
      versions: [{ name: 'v1', storage: true }, { name: 'v2' }],
      validation: shared.schema,
      subresources: shared.subresources,
      additionalPrinterColumns: [{ name: 'Age', type: 'date', JSONPath: column.jsonPath }],
      preserveUnknownFields: false,
    });
  });

  it('keeps members that differ in each version', () => {
    const versions = [
      { name: 'v1', schema: schema('object'), additionalPrinterColumns: [column] },
      { name: 'v2', schema: schema('string') },
    ];
    const spec = specOf(toStoredDefinition(definition({ versions })));
    expect(spec.validation).toBeUndefined();
    expect(spec.versions).toEqual([
      {
        name: 'v1',
        schema: schema('object'),
        additionalPrinterColumns: [{ name: 'Age', type: 'date', JSONPath: column.jsonPath }],
      },
      { name: 'v2', schema: schema('string') },
    ]);
  });

  it('inlines the webhook settings in the conversion', () => {
    const clientConfig = { url: 'https://example.test' };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const stored = toStoredDefinition(definition({ versions: [], conversion }));
    expect(specOf(stored).conversion).toEqual({
      strategy: 'Webhook',
      webhookClientConfig: clientConfig,
      conversionReviewVersions: ['v1'],
    });
    expect(specOf(toServedDefinition(stored)).conversion).toEqual(conversion);
  });

  it('reads old definitions with one version in the top-level name only', () => {
    const stored = { spec: { group: 'example.test', version: 'v1', validation: schema('object') } };
    expect(specOf(toServedDefinition(stored)).versions).toEqual([
      { name: 'v1', served: true, storage: true, schema: schema('object') },
    ]);
  });

  it('round-trips', () => {
    const option = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const version = fc.record(
      {
        name: fc.constantFrom('v1', 'v2', 'v3'),
        served: fc.boolean(),
        schema: option([schema('object'), schema('string')]),
        subresources: option([{ status: {} }, { scale: { specReplicasPath: '.spec.a' } }]),
        additionalPrinterColumns: option([[column], [column, { ...column, name: 'b' }]]),
        selectableFields: option([[{ jsonPath: '.spec.a' }]]),
      },
      { requiredKeys: ['name'] },
    );
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 4 }), (versions) => {
        const before = definition({ versions: plain(versions) as object[] });
        const copy = structuredClone(before);
        expect(plain(toServedDefinition(toStoredDefinition(before)))).toEqual(plain(before));
        expect(before).toEqual(copy);
      }),
    );
  });
});
