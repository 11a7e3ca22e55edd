import { describe, expect, it } from 'vitest';
import { fromPlain } from '../../../src/codec/typed.ts';
import { customKindOf } from '../../../src/extensions/custom-resources/openapi-schemas.ts';
import type {
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../../../src/model/generated/apiextensions-v1.ts';
import { loadScheme } from '../../../src/model/scheme.ts';
import type { Schema } from '../../../src/openapi/document.ts';
import { rowOf } from '../../support/builtin-resources.ts';
import { recorded } from '../../support/recorded.ts';
import { messageType } from '../../support/types.ts';

interface Published {
  readonly schema: object;
  readonly v2: Schema;
  readonly v3: Schema;
}
const { kinds, page } = recorded<{ kinds: Record<string, Published>; page: Schema }>('custom-openapi-forms');

const decoded = (schema: object) =>
  fromPlain(messageType('apiextensions_v1.JSONSchemaProps'), schema).value as JSONSchemaProps;
const publishedRow = (kind: string, listKind = `${kind}List`) =>
  rowOf('forms.example.com', 'v1', `${kind.toLowerCase()}s`, kind, { listKind });
const version = (schema: object, more: Partial<CustomResourceDefinitionVersion> = {}) => ({
  schema: { openAPIV3Schema: decoded(schema) },
  ...more,
});

describe('published schemas of a custom kind', () => {
  it.each(Object.entries(kinds))('%s is published as kube-apiserver does', (kind, { schema, v2, v3 }) => {
    const { name, schemas } = customKindOf(publishedRow(kind), version(schema));
    expect(name).toBe(`com.example.forms.v1.${kind}`);
    expect(schemas('v3')[name]).toEqual(v3);
    expect(schemas('v2')[name]).toEqual(v2);
  });

  it('have no empty list of selectable fields since 1.33', async () => {
    const { has } = await loadScheme('1.33');
    const { name, listName, schemas } = customKindOf(publishedRow('Open'), version({ type: 'object' }), has);
    for (const shown of [name, listName])
      expect(schemas('v3')[shown]).not.toHaveProperty('x-kubernetes-selectable-fields');
  });

  it('include the list', () => {
    const { listName, schemas } = customKindOf(publishedRow('Open', 'OpenPage'), version({ type: 'object' }));
    expect(listName).toBe('com.example.forms.v1.OpenPage');
    expect(schemas('v3')[listName]).toEqual(page);
    expect(schemas('v2')[listName]).toMatchObject({
      properties: {
        items: { items: { $ref: '#/definitions/com.example.forms.v1.Open' } },
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' },
      },
    });
  });

  it('drop types in version 2 that its clients misread', () => {
    const schema = {
      type: 'object',
      required: ['spec', 'none'],
      properties: {
        spec: { type: 'object' },
        none: { type: 'object', nullable: true, required: ['a'], properties: { a: { type: 'string' } } },
        list: { type: 'array', nullable: true, items: { type: 'string' }, maxItems: 3 },
        kept: { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: { type: 'string' } },
      },
    };
    const { name, schemas } = customKindOf(publishedRow('Form'), version(schema));
    expect(schemas('v2')[name]).toMatchObject({
      required: ['spec'],
      properties: { none: { required: ['a'] }, list: { maxItems: 3 } },
    });
    const properties = schemas('v2')[name]!['properties'] as Record<string, Schema>;
    expect(properties['list']).toEqual({ maxItems: 3 });
    expect(properties['kept']).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('name the selectable fields', () => {
    const { name, schemas } = customKindOf(
      publishedRow('Form'),
      version({ type: 'object' }, { selectableFields: [{ jsonPath: '.spec.host' }] }),
    );
    expect(schemas('v3')[name]).toMatchObject({
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.host' }],
    });
  });

  it('keep properties of any name, and end at a great depth', () => {
    const odd = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const kind = customKindOf(publishedRow('Form'), version(odd));
    const properties = kind.schemas('v3')[kind.name]!['properties'] as object;
    expect(Object.getOwnPropertyDescriptor(properties, '__proto__')?.value).toEqual({ type: 'string' });
    let deep: JSONSchemaProps = { type: 'string' };
    for (let level = 0; level < 5000; level += 1) deep = { type: 'object', properties: { a: deep } };
    const nested = customKindOf(publishedRow('Form'), { schema: { openAPIV3Schema: deep } });
    expect(JSON.stringify(nested.schemas('v2'))).toContain('"x-kubernetes-preserve-unknown-fields":true');
  });

  it('have examples and links to documentation since 1.36', async () => {
    const schema = { type: 'string', externalDocs: { url: 'https://x.test' }, example: 'a' };
    const publishedIn = async (minor: '1.35' | '1.36') => {
      const { has } = await loadScheme(minor);
      const { name, schemas } = customKindOf(
        publishedRow('Form'),
        version({ type: 'object', properties: { text: schema } }),
        has,
      );
      return schemas('v3')[name]!['properties'];
    };
    expect(await publishedIn('1.36')).toMatchObject({
      text: { externalDocs: { url: 'https://x.test' }, example: 'a' },
    });
    expect(await publishedIn('1.35')).toMatchObject({ text: { type: 'string' } });
    expect(JSON.stringify(await publishedIn('1.35'))).not.toContain('x.test');
  });

  it('have a hash that changes with the schema alone', () => {
    const hashOf = (schema: object, more = {}) =>
      customKindOf(publishedRow('Form'), version(schema, more)).hash;
    const hash = hashOf({ type: 'object', default: { a: 1 } });
    expect(hashOf({ type: 'object', default: { a: 1 } }, { served: true })).toBe(hash);
    expect(hashOf({ type: 'object', default: { a: 2 } })).not.toBe(hash);
  });
});
