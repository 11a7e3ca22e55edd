import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/cel/compile.ts';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { declarationsOf } from '../../../src/cel/declarations/declarations.ts';
import {
  declareSchema,
  maxPerRequest,
  sizeHintsOf,
  type TypeSchema,
} from '../../../src/cel/declarations/schema-types.ts';
import { typeName } from '../../../src/cel/types.ts';

const text: TypeSchema = { type: 'string' };
const object = (
  properties: Readonly<Record<string, TypeSchema>>,
  more: Partial<TypeSchema> = {},
): TypeSchema => ({
  type: 'object',
  properties: new Map(Object.entries(properties)),
  ...more,
});

/** The maximum cost of a rule over a schema. */
function cost(schema: TypeSchema, rule: string): bigint {
  const declaration = declareSchema(schema, 'Self')!;
  const declarations = declarationsOf('new', { variables: new Map([['self', declaration.type]]) });
  return estimateCost(compile(rule, declarations), sizeHintsOf(declaration)).max;
}

test('the name of a type is as large as the schema itself, whatever its dots', () => {
  const schema = object({ t: { type: 'string', format: 'date-time' }, a: text });
  expect(cost(schema, 'type(self.t) == google.protobuf.Timestamp')).toBeLessThan(100n);
  expect(cost(schema, "type(ip('::1')) == net.IP")).toBeLessThan(100n);
});

test('the names of types have escaped properties', () => {
  const inner = object({ 'f.g': object({ in: object({}) }) });
  const self = declareSchema(object({ 'd-e': { type: 'array', items: inner } }), 'Self')!.type;
  const declarations = declarationsOf('new', { variables: new Map([['self', self]]) });
  expect(() => compile('self.d__dash__e[0].f__dot__g.__in__ == 1', declarations)).toThrow(
    "'(Self.d__dash__e.@idx.f__dot__g.__in__, int)'",
  );
});

describe('types of schemas', () => {
  test.each<[TypeSchema, string | undefined, number, number]>([
    [{ type: 'integer' }, 'int', 1, 0],
    [{ type: 'boolean' }, 'bool', 4, 0],
    [{ type: 'string', maxLength: 3 }, 'string', 2, 12],
    [{ type: 'string', enum: ['a', 'é', 1] }, 'string', 2, 2],
    [{ type: 'string', format: 'byte' }, 'bytes', 2, 3_145_726],
    [{ type: 'string', format: 'date-time' }, 'timestamp', 21, 32],
    [{ type: 'string', format: 'duration' }, 'duration', 3, 32],
    [{ intOrString: true }, 'dyn', 1, 3_145_726],
    [{ type: 'array', items: text }, 'list(string)', 2, 1_048_575],
    [{ type: 'array', items: text, maxItems: 5 }, 'list(string)', 2, 5],
    [{ type: 'array' }, undefined, 0, 0],
    [{ type: 'object', additionalProperties: text }, 'map(string, string)', 2, 393_215],
    [{ type: 'object' }, undefined, 0, 0],
    [
      object(
        { a: text, bb: { type: 'boolean', hasDefault: true }, c: { type: 'array' } },
        { required: ['a', 'bb', 'c'] },
      ),
      'Self',
      9,
      0,
    ],
  ])('%j', (schema, name, minSize, maxElements) => {
    const declaration = declareSchema(schema, 'Self');
    expect(declaration && [typeName(declaration.type), declaration.minSize, declaration.maxElements]).toEqual(
      name && [name, minSize, maxElements],
    );
  });

  test('declares fields by escaped name and no inherited names', () => {
    const { type } = declareSchema(object({ 'a-b': text, namespace: text, a__b: text }), 'Self')!;
    const field = (name: string): string | undefined =>
      type.kind === 'object' && type.field(name) ? 'declared' : undefined;
    expect(['a__dash__b', '__namespace__', 'namespace', 'a__b', 'toString', '__proto__'].map(field)).toEqual([
      'declared',
      'declared',
      'declared',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('declares apiVersion, kind and metadata names of a resource', () => {
    const { type } = declareSchema(object({ metadata: object({ labels: text }) }), 'Self', true)!;
    const metadata = type.kind === 'object' ? type.field('metadata')?.type : undefined;
    expect(
      metadata?.kind === 'object' &&
        ['name', 'generateName', 'labels'].map((name) => metadata.field(name) !== undefined),
    ).toEqual([true, true, false]);
  });

  test('declares a recursive schema lazily', () => {
    const node: { type: string; properties: Map<string, TypeSchema> } = {
      type: 'object',
      properties: new Map(),
    };
    node.properties.set('next', node);
    expect(cost(node, 'has(self.next.next.next)')).toBe(3n);
  });
});

describe('cost estimates from schema sizes', () => {
  test.each<[TypeSchema, string, bigint]>([
    [object({ f: text }), 'size(self.f) > 0 && self.f == self.f', 314_581n],
    [object({ f: { type: 'string', maxLength: 10 } }), 'size(self.f) > 0 && self.f == self.f', 12n],
    [object({ f: { type: 'integer' } }), 'self.f == 1', 2n],
    [
      object({ l: { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 5 } } }),
      'self.l.all(x, x == "abcdef")',
      23n,
    ],
  ])('%j %s', (schema, rule, expected) => expect(cost(schema, rule)).toBe(expected));

  test('computes how many values fit into a request', () => {
    expect(maxPerRequest(declareSchema(object({ f: text }), 'Self')!)).toBe(1_048_576);
  });
});
