import { describe, expect, it } from 'vitest';
import { validateDefinition } from '../../../src/kinds/apiextensions/definition-validation.ts';
import { UNCHECKED } from '../../../src/kinds/apiextensions/schema-checker.ts';
import type { JSONSchemaProps } from '../../../src/model/generated/apiextensions-v1.ts';
import { replay } from '../../../src/steps/replay.ts';

const SCHEMAS = 2000;
/** Schemas visited between two yields, about: each schema is visited by three checks. */
const COST_PER_RUN = 512;

const properties = (count: number, make: () => JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make()])),
});
const text = (): JSONSchemaProps => ({ type: 'string' });
const lists = (depth: number): JSONSchemaProps =>
  depth === 0 ? text() : { type: 'array', items: lists(depth - 1) };

const definition = (openAPIV3Schema: JSONSchemaProps) => ({
  spec: {
    group: 'example.test',
    names: { plural: 'manies', kind: 'Many' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});

describe('the validation of a definition pauses', () => {
  it.each<[string, JSONSchemaProps]>([
    ['in one wide schema', properties(SCHEMAS, text)],
    [
      'in a tree whose schemas all have few properties',
      properties(12, () => properties(12, () => properties(12, text))),
    ],
    ['in deep lists below few properties', properties(20, () => lists(100))],
    ['in a junctor', { type: 'object', anyOf: Array.from({ length: SCHEMAS }, () => ({ required: ['a'] })) }],
    ['between errors', properties(SCHEMAS, () => ({}))],
  ])('%s', (_where, schema) => {
    const object = definition(schema);
    const expected = validateDefinition(object, UNCHECKED);
    const steps = replay(() => validateDefinition(object, UNCHECKED), COST_PER_RUN);
    let yields = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yields += 1;
    expect(step.value).toEqual(expected);
    expect(yields).toBeGreaterThan((2 * 4 * SCHEMAS) / (2 * COST_PER_RUN));
  });
});

it('the validation of a small definition does not pause', () => {
  const object = definition(properties(50, text));
  const steps = replay(() => validateDefinition(object, UNCHECKED));
  expect(steps.next()).toEqual({ done: true, value: validateDefinition(object, UNCHECKED) });
});

it('the validation of many versions takes linear time', () => {
  const versions = (count: number) => ({
    spec: {
      ...definition(text()).spec,
      // Different subresources stay at their versions.
      versions: Array.from({ length: count }, (_, index) => ({
        name: `v${index}`,
        ...(index % 2 === 0 ? { subresources: {} } : {}),
      })),
    },
  });
  const cost = (count: number) => {
    const object = versions(count);
    const before = process.cpuUsage();
    validateDefinition(object, UNCHECKED);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cost(1000);
  expect(Math.min(cost(32_000), cost(32_000))).toBeLessThan(
    20 * Math.min(cost(4000), cost(4000), cost(4000)) + 100_000,
  );
});
