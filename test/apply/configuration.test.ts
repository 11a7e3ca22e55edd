import { describe, expect, it } from 'vitest';
import { fieldsOf as fieldsOfInSteps } from '../../src/apply/configuration.ts';
import { serializeFieldsV1 as serializeFieldsV1InSteps } from '../../src/apply/fields-v1.ts';
import { messageShape, structuralShape } from '../../src/apply/index.ts';
import type { ValueSchema } from '../../src/schema/structural/index.ts';
import { atOnce } from '../support/at-once.ts';
import { messageType } from '../support/types.ts';

const fieldsOf = atOnce(fieldsOfInSteps);
const serializeFieldsV1 = atOnce(serializeFieldsV1InSteps);

const shape = messageShape(messageType('networking_v1.NetworkPolicy'));
const policy = (from: object) => ({ spec: { ingress: [{ from: [from] }], podSelector: {} } });

describe('atomic values of an applied configuration', () => {
  it.each([
    [{ unknownField: 1 }, '.spec.ingress[0].from[0].unknownField: field not declared in schema'],
    [
      { podSelector: { MATCHLABELS: {} } },
      '.spec.ingress[0].from[0].podSelector.MATCHLABELS: field not declared in schema',
    ],
    [{ ipBlock: { cidr: 1 } }, '.spec.ingress[0].from[0].ipBlock.cidr: expected string'],
  ])('are checked inside: %j', (from, message) =>
    expect(() => fieldsOf(shape, policy(from), true)).toThrow(message),
  );

  it('are owned as a whole', () => {
    const fields = fieldsOf(shape, policy({ podSelector: { matchLabels: { a: 'b' } } }), true);
    expect(JSON.parse(serializeFieldsV1(fields))).toEqual({
      'f:spec': { 'f:ingress': {}, 'f:podSelector': {} },
    });
  });

  it('are not checked when the configuration need not fit', () =>
    expect(() => fieldsOf(shape, policy({ unknownField: 1 }), false)).not.toThrow());
});

describe('atomic values of a custom object', () => {
  const item: ValueSchema = { type: 'object', properties: new Map([['a', { type: 'string' }]]) };
  const custom = structuralShape({
    type: 'object',
    properties: new Map<string, ValueSchema>([
      ['list', { type: 'array', items: item }],
      ['map', { ...item, mapType: 'atomic' }],
      ['set', { type: 'array', listType: 'set', items: { type: 'string' } }],
    ]),
  });
  it.each([
    [{ list: [{ a: 'x' }, { b: 1 }] }, '.list[1].b: field not declared in schema'],
    [{ list: [{ a: 1 }] }, '.list[0].a: expected string'],
    [{ map: { b: 1 } }, '.map.b: field not declared in schema'],
    [
      { set: [null] },
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
  ])('are checked inside: %j', (object, message) =>
    expect(() => fieldsOf(custom, object, true)).toThrow(message),
  );
});
