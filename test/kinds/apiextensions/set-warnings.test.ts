import { expect, it } from 'vitest';
import { customResourceDefinitionStrategy } from '../../../src/kinds/apiextensions/custom-resource-definition.ts';
import { UNCHECKED } from '../../../src/kinds/apiextensions/schema-checker.ts';
import type { StrategyContext } from '../../../src/kinds/strategy.ts';
import { isAlive, type Life, type Minor } from '../../../src/model/life.ts';

const { warnings } = customResourceDefinitionStrategy(UNCHECKED);
const context = (minor: Minor) => ({ has: (life: Life) => isAlive(life, minor) }) as StrategyContext;
const definition = (...types: string[]) => ({
  spec: {
    versions: [
      {
        schema: {
          openAPIV3Schema: {
            properties: Object.fromEntries(
              types.map((type) => [
                type,
                { type: 'array', 'x-kubernetes-list-type': 'set', items: { type } },
              ]),
            ),
          },
        },
      },
    ],
  },
});
const text = (type: string) =>
  `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;

it('warns about sets of lists and objects that the definition did not have before', () => {
  const object = definition('string', 'object', 'array');
  expect(warnings!(object, undefined, context('1.37'))).toEqual([text('array'), text('object')]);
  expect(warnings!(object, definition('array'), context('1.37'))).toEqual([text('object')]);
  expect(warnings!(object, undefined, context('1.36'))).toEqual([]);
});
