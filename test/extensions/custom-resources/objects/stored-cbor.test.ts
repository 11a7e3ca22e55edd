import { expect, it } from 'vitest';
import { writeCbor } from '../../../../src/codec/cbor.ts';
import { CUSTOM_FORM } from '../../../../src/extensions/custom-resources/objects/object-json.ts';

const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name: 'b', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z', labels: { a: 'b' } },
  spec: { count: 3, ratio: 1.5, list: [true, null, 'é'] },
};
const text = (value: Uint8Array): string => Buffer.from(value).toString();

it('reads custom objects that a kube-apiserver has stored as CBOR', () => {
  const written = CUSTOM_FORM.writtenForm!(writeCbor(OBJECT));
  expect(JSON.parse(text(written))).toEqual(OBJECT);
  expect(text(written)).toBe(text(CUSTOM_FORM.codec.encode(OBJECT)));
  expect(CUSTOM_FORM.metadata(written)).toMatchObject({ name: 'b', labels: { a: 'b' } });
});

it('leaves other values as they are', () => {
  for (const value of [
    CUSTOM_FORM.codec.encode(OBJECT),
    Buffer.from('\xd9\xd9\xf7\xff', 'latin1'),
    Buffer.alloc(0),
  ])
    expect(CUSTOM_FORM.writtenForm!(value)).toBe(value);
});
