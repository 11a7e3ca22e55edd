import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { type StorageCodec, storageCodec } from '../../src/resources/kind-codec.ts';
import { WrittenForm } from '../../src/resources/stored-forms.ts';
import { kindType } from '../support/types.ts';

const type = kindType('', 'v1', 'ConfigMap')!;
const storage = { prefix: 'configmaps', apiVersion: 'v1', group: '', version: 'v1', encoding: 'protobuf' };

/** A kind whose stored objects get a label when they are read, and the number of decoded objects. */
function kind(): { form: WrittenForm; codec: StorageCodec; decoded: () => number } {
  let count = 0;
  const plain = storageCodec(storage as never, 'ConfigMap', type);
  const codec: StorageCodec = {
    ...plain,
    decode: (value, revision) => {
      count += 1;
      return plain.decode(value, revision);
    },
    *decoding(value, revision) {
      count += 1;
      return yield* plain.decoding!(value, revision);
    },
  };
  const setDefaults = (object: KubernetesObject): void => {
    object.metadata!.labels ??= { a: 'default' };
  };
  const form = new WrittenForm({
    kind: 'ConfigMap',
    storage: storage as never,
    codec,
    completion: undefined,
    setDefaults,
    isOwn: () => false,
    written: new WeakSet(),
    types: schemeOf().types,
    inVersion: () => undefined,
  });
  return { form, codec, decoded: () => count };
}

const data = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`k${index}`, 'v']));

describe('the written form of a large value', () => {
  it.each([
    ['incomplete', {}],
    ['complete', { labels: { a: 'b' } }],
  ])('is found in steps, for a value and the copy that a store makes of it: %s', (_, metadata) => {
    const { form, codec, decoded } = kind();
    const value = codec.encode({ metadata, data } as KubernetesObject);
    const expected = kind().form.of(value);
    let pauses = 0;
    for (const _pause of form.finding(value)) pauses += 1;
    expect(pauses).toBeGreaterThan(2);
    const before = decoded();
    expect(Buffer.compare(form.of(value), expected)).toBe(0);
    const copy = Uint8Array.from(value);
    const ofCopy = form.of(copy);
    expect(Buffer.compare(ofCopy, expected)).toBe(0);
    // A record whose bytes are not its own is written again by the next update.
    expect(ofCopy === copy).toBe('labels' in metadata);
    expect(decoded()).toBe(before);
    expect(Buffer.compare(form.of(Uint8Array.from(value)), expected)).toBe(0);
    expect(decoded()).toBeGreaterThan(before);
  });
});
