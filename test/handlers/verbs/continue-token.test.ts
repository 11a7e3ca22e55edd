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
