import { describe, expect, it } from 'vitest';
import { structuralShape } from '../../src/apply/index.ts';
import { hasTypesOf } from '../../src/apply/undeclared.ts';
import type { ValueSchema } from '../../src/schema/structural/index.ts';

const text: ValueSchema = { type: 'string' };
const schema: ValueSchema = {
  type: 'object',
  properties: new Map<string, ValueSchema>([
    [
      'spec',
      {
        type: 'object',
        properties: new Map<string, ValueSchema>([
          ['text', text],
          ['count', { type: 'integer' }],
          ['either', { isIntOrString: true }],
          ['list', { type: 'array', items: text }],
          [
            'keyed',
            {
              type: 'array',
              listType: 'map',
              listMapKeys: ['name'],
              items: { type: 'object', properties: new Map([['name', text]]) },
            },
          ],
          ['free', { preservesUnknownFields: true }],
        ]),
      },
    ],
  ]),
};

describe('types of an object for ownership', () => {
  it.each([
    [{ text: 'a', count: 1, either: 'x', list: ['a'], keyed: [{ name: 'a' }], free: [1] }, true],
    [{ text: null }, true],
    [{ count: 9007199254740993n, either: 5, free: { a: 1 } }, true],
    [{ text: 5 }, false],
    [{ count: '1' }, false],
    [{ list: 'a' }, false],
    [{ keyed: [{ name: 1 }] }, false],
    [{ keyed: {} }, false],
  ])('%o: %s', (spec, fits) => expect(hasTypesOf(structuralShape(schema), { spec })).toBe(fits));
});
