import { expect, it } from 'vitest';
import { storageCodec } from '../../src/resources/kind-codec.ts';
import { kindType } from '../support/types.ts';

it('a large stored message is decoded in steps', () => {
  const codec = storageCodec(
    { apiVersion: 'v1', encoding: 'protobuf' },
    'ConfigMap',
    kindType('', 'v1', 'ConfigMap')!,
  );
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
  const value = codec.encode({ metadata: { name: 'a' }, data });
  const steps = codec.decoding!(value, 7);
  let yields = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields += 1;
  expect(step.value).toEqual(codec.decode(value, 7));
  expect(yields).toBeGreaterThan(4);
});
