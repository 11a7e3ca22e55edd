import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyJson, equalJson, type ValueSchema } from '../../../src/schema/structural/index.ts';
import { runNow } from '../../../src/steps/run.ts';
import { setStepSizes } from '../../../src/steps/sizes.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { StructureAtOnce } from './support/structure-at-once.ts';

/** Few names, so that schemas and values meet, and names of members of Object.prototype. */
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'a', 'text', '10.0.0.1', 0, 1, 1.5, 2n ** 60n, 2n ** 70n),
  fc.integer(),
  fc.string(),
);
const objectOf = (entries: (readonly [string, unknown])[]): unknown => {
  const object = {};
  for (const [member, value] of entries)
    Object.defineProperty(object, member, { value, enumerable: true, writable: true, configurable: true });
  return object;
};
const json = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(objectOf),
  value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
}));

const bounds = fc.record<Partial<Record<string, unknown>>>(
  {
    nullable: fc.boolean(),
    maxLength: fc.nat(5),
    minLength: fc.nat(2),
    pattern: fc.constantFrom('^a', '^[a-z]{1,3}$', '(', 'x*$'),
    format: fc.constantFrom('ipv4', 'date', 'duration', 'email', 'hostname', 'uri', 'unknown'),
    maximum: fc.integer(),
    exclusiveMinimum: fc.boolean(),
    minimum: fc.nat(3),
    multipleOf: fc.constantFrom(2, 0.1),
    maxItems: fc.nat(2),
    minItems: fc.nat(2),
    maxProperties: fc.nat(2),
    required: fc.array(name, { maxLength: 2 }),
    enum: fc.array(json.value, { maxLength: 3 }),
    default: json.value,
    preservesUnknownFields: fc.constant(true),
    isEmbeddedResource: fc.constant(true),
  },
  { requiredKeys: [] },
);

const schema = fc.letrec<{ schema: ValueSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(bounds, fc.constantFrom('string', 'integer', 'number', 'boolean'))
      .map(([keywords, type]) => ({ ...keywords, type }) as ValueSchema),
    bounds.map((keywords) => ({ ...keywords, isIntOrString: true }) as ValueSchema),
    fc
      .tuple(bounds, tie('schema'), fc.constantFrom('atomic', 'set', 'map', undefined), name)
      .map(
        ([keywords, items, listType, key]) =>
          ({ ...keywords, type: 'array', items, listType, listMapKeys: [key] }) as ValueSchema,
      ),
    fc
      .tuple(bounds, fc.array(fc.tuple(name, tie('schema')), { maxLength: 4 }))
      .map(
        ([keywords, members]) =>
          ({ ...keywords, type: 'object', properties: new Map(members) }) as ValueSchema,
      ),
    fc
      .tuple(bounds, fc.oneof(tie('schema'), fc.boolean()))
      .map(
        ([keywords, additionalProperties]) =>
          ({ ...keywords, type: 'object', additionalProperties }) as ValueSchema,
      ),
    fc
      .tuple(tie('schema'), fc.constantFrom('anyOf', 'oneOf', 'allOf', 'not'), tie('schema'), tie('schema'))
      .map(
        ([base, junctor, one, other]) =>
          ({ ...base, [junctor]: junctor === 'not' ? one : [one, other] }) as ValueSchema,
      ),
  ),
}));

const isFree = (one: ValueSchema): boolean =>
  one.preservesUnknownFields !== true &&
  one.isEmbeddedResource !== true &&
  one.additionalProperties !== true &&
  [...(one.properties?.values() ?? []), one.items, one.additionalProperties].every(
    (inner) => typeof inner !== 'object' || isFree(inner),
  );

/** Runs all steps and returns the result. */
function inSmallSteps<Result>(start: () => Steps<Result>): Result {
  const restore = setStepSizes(1);
  try {
    return runNow(start());
  } finally {
    restore();
  }
}

const property = (check: (structure: StructureAtOnce, value: unknown, one: ValueSchema) => void): void => {
  fc.assert(
    fc.property(schema.schema, json.value, (one, value) => check(new StructureAtOnce(one), value, one)),
    { numRuns: 500 },
  );
};

describe('Structure', () => {
  it('prunes to a value that has nothing more to prune', () =>
    property((structure, value) => {
      structure.prune(value);
      const before = copyJson(value);
      expect(structure.prune(value)).toEqual([]);
      expect(equalJson(value, before)).toBe(true);
    }));

  it('sets all defaults at once', () =>
    property((structure, value) => {
      structure.setDefaults(value);
      const before = copyJson(value);
      structure.setDefaults(value);
      expect(equalJson(value, before)).toBe(true);
    }));

  it('finds an object complete only if pruning and defaulting do not change it', () => {
    let complete = 0;
    property((structure, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const before = copyJson(value);
      if (!structure.isComplete(value)) return;
      complete += 1;
      structure.prune(value, { isObject: true });
      structure.setDefaults(value, { isObject: true });
      expect(equalJson(value, before)).toBe(true);
    });
    expect(complete).toBeGreaterThan(0);
  });

  it('finds a defaulted object complete', () => {
    const text = { type: 'string', default: 'a' } as ValueSchema;
    const structure = new StructureAtOnce({
      type: 'object',
      properties: new Map<string, ValueSchema>([
        ['a', text],
        ['b', { type: 'array', items: { type: 'object', properties: new Map([['a', text]]) } }],
        ['c', { type: 'object', additionalProperties: { type: 'integer', nullable: true } }],
        ['d', { type: 'object', preservesUnknownFields: true }],
      ]),
    });
    const object = { metadata: { name: 'x' }, b: [{}], c: { x: 1, y: null }, d: { e: [{ f: 1 }] } };
    expect(structure.isComplete(object)).toBe(false);
    structure.setDefaults(object, { isObject: true });
    expect(structure.isComplete(object)).toBe(true);
    for (const [name, member] of [
      ['unknown', 1],
      ['a', null],
      ['b', [{}]],
      ['c', { x: [], y: {} }],
    ] as const)
      expect(structure.isComplete({ ...object, [name]: member })).toBe(name === 'c');
  });

  it('never changes the defaults of the schema', () =>
    property((_structure, value, one) => {
      const outer = new StructureAtOnce({ type: 'object', properties: new Map([['a', one]]) });
      const text = JSON.stringify(one.default, bigints);
      const object = { b: value };
      outer.setDefaults(object);
      for (const member of Object.values(object)) outer.prune({ a: member });
      expect(JSON.stringify(one.default, bigints)).toBe(text);
    }));

  it('never throws', () =>
    property((structure, value) => {
      structure.validate(value);
      structure.validate(value, { field: 'x', old: { a: 1 } });
      structure.validateLists(value);
      structure.embeddedResources(value);
    }));

  it('does the same in small steps', () =>
    property((structure, value) => {
      expect(inSmallSteps(() => structure.inSteps.validate(value))).toEqual(structure.validate(value));
      expect(inSmallSteps(() => structure.inSteps.validateLists(value))).toEqual(
        structure.validateLists(value),
      );
      expect(inSmallSteps(() => structure.inSteps.embeddedResources(value))).toEqual(
        structure.embeddedResources(value),
      );
      const copy = copyJson(value);
      expect(inSmallSteps(() => structure.inSteps.prune(copy))).toEqual(structure.prune(value));
      inSmallSteps(() => structure.inSteps.setDefaults(copy));
      structure.setDefaults(value);
      expect(equalJson(copy, value)).toBe(true);
    }));

  it('reports no error for an update that changes nothing', () =>
    property((structure, value, one) => {
      structure.prune(value);
      if (!isFree(one)) return;
      expect(structure.validate(value, { field: 'x', old: copyJson(value) })).toEqual(
        structure.unchangedAt(value, copyJson(value))([]) ? [] : structure.validate(value, { field: 'x' }),
      );
      expect(structure.validateLists(value, { old: copyJson(value) })).toEqual([]);
    }));
});

it('compares and copies JSON values', () => {
  fc.assert(
    fc.property(json.value, (value) => {
      const copy = copyJson(value);
      expect(equalJson(copy, value)).toBe(true);
      expect(equalJson([copy], value)).toBe(false);
    }),
  );
});

const bigints = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
