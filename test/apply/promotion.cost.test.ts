import { expect, test } from 'vitest';
import { FieldManager, FieldSet, messageShape } from '../../src/apply/index.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import { promotedBytes } from '../support/retained.ts';
import { kindType } from '../support/types.ts';

const WRITES = 3000;
/** Bytes per write, see {@link promotedBytes}; a write allocates 15 kB. */
const MOST_PROMOTED = 3000;

const type = kindType('', 'v1', 'ConfigMap')!;
const typeMeta = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Records the owner of a new object that nobody refers to afterwards. */
function write(): void {
  const body = { ...typeMeta, metadata: { name: 'a' }, data: { a: 'b' } };
  const object = fromPlain(type, body).value;
  const manager = new FieldManager({
    apiVersion: 'v1',
    subresource: '',
    ignored: FieldSet.empty,
    shape: () => messageShape(type),
    convert: (converted) => converted,
    toPlain: (written) => toPlain(type, written, typeMeta) as object,
    fromPlain: (plain) => fromPlain(type, plain).value,
    now: () => new Array(500).fill('2024-01-01T00:00:00Z')[0],
  });
  manager.updated(undefined, object, 'writer');
  manager.apply(object, body, 'applier', true);
}

test('V8 can free what a write needed without a full collection', () => {
  expect(promotedBytes(WRITES, write)).toBeLessThan(MOST_PROMOTED);
});
