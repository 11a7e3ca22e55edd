import { expect, it } from 'vitest';
import { formatWarnings } from '../../../src/kinds/apiextensions/definition-warnings.ts';
import type { CustomResourceDefinition } from '../../../src/model/generated/apiextensions-v1.ts';
import { loadScheme, schemeOf } from '../../../src/model/scheme.ts';

const definition = (...formats: string[]): CustomResourceDefinition => ({
  spec: {
    versions: formats.map((format) => ({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { list: { type: 'array', items: { type: 'string', format } } },
        },
      },
    })),
  },
});

it('warns of new formats that are not checked, since 1.34', async () => {
  const { has } = await loadScheme('1.34');
  const context = { has, subresource: '' };
  const made = definition('quantity', 'date-time', 'uuid', 'quantity', 'a"b');
  expect(formatWarnings(made, undefined, context)).toEqual([
    'unrecognized format "quantity"',
    'unrecognized format "a\\"b"',
  ]);
  expect(formatWarnings(made, definition('quantity'), context)).toEqual(['unrecognized format "a\\"b"']);
  expect(formatWarnings(made, undefined, { ...context, subresource: 'status' })).toEqual([]);
  expect(formatWarnings(made, undefined, { has: schemeOf().has, subresource: '' })).toEqual([]);
  expect(formatWarnings({}, undefined, context)).toEqual([]);
});

it('does not warn of formats of numbers', async () => {
  const { has } = await loadScheme('1.34');
  const number = { type: 'integer', format: 'odd' };
  const made = { spec: { versions: [{ schema: { openAPIV3Schema: number } }] } };
  expect(formatWarnings(made, undefined, { has, subresource: '' })).toEqual([]);
});
