import { expect, it } from 'vitest';
import { decodeContinueToken, encodeContinueToken } from '../../../src/handlers/verbs/continue-token.ts';

const PREFIX = '/registry/configmaps/default/';
const token = encodeContinueToken(`${PREFIX}c`, PREFIX, 7, false);

it('decodes encoded tokens', () => {
  expect(decodeContinueToken(token, PREFIX)).toEqual({ revision: 7, startKey: `${PREFIX}c` });
});

it('rejects padded base64, as the encoding of tokens has no padding', () => {
  expect(() => decodeContinueToken(`${token}==`, PREFIX)).toThrow(
    `illegal base64 data at input byte ${token.length}`,
  );
});

it('rejects a start key outside of the list', () => {
  const outside = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 7, start: '../secrets/a' })).toString(
    'base64url',
  );
  expect(() => decodeContinueToken(outside, PREFIX)).toThrow('../secrets/a');
});

it.each([
  ['a', 'illegal base64 data at input byte 0'],
  ['false', 'illegal base64 data at input byte 4'],
  ['true', "invalid character '¶' looking for beginning of value"],
  [encoded('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [encoded('null'), 'server does not recognize this encoded version '],
  [encoded('{}x'), "invalid character 'x' after top-level value"],
  [encoded('{"rv":"1"}'), 'cannot unmarshal string into Go struct field continueToken.rv of type int64'],
  [encoded('{"rv":1.5}'), 'cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
])('says what is wrong with the token %s', (text, message) => {
  expect(() => decodeContinueToken(text, PREFIX)).toThrow(message);
});

it('matches the members of a token in any case', () => {
  const text = encoded('{"V":"meta.k8s.io/v1","RV":7,"Start":"c"}');
  expect(decodeContinueToken(text, PREFIX)).toEqual({ revision: 7, startKey: `${PREFIX}c` });
});

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}
