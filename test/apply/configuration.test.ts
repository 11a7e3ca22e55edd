import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/apply/configuration.ts';
import { serializeFieldsV1 } from '../../src/apply/fields-v1.ts';
import { messageShape } from '../../src/apply/index.ts';
import { messageType } from '../../src/model/scheme.ts';

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
