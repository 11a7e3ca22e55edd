import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Http2Stream } from '../../src/http2/stream.ts';
import { StreamTable } from '../../src/http2/stream-table.ts';

const stream = (id: number): Http2Stream => ({ id }) as Http2Stream;
const ids = (table: StreamTable): number[] =>
  table
    .values()
    .map(({ id }) => id)
    .sort((a, b) => a - b);

test('behaves like a map, for any identifiers', () => {
  const id = fc
    .oneof(
      fc.nat({ max: 20 }),
      fc.nat({ max: 20 }).map((n) => n * 64),
      fc.nat(),
    )
    .map((n) => 2 * n + 1);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), id), { maxLength: 200 }), (steps) => {
      const table = new StreamTable();
      const known = new Map<number, Http2Stream>();
      for (const [adds, id] of steps) {
        if (adds && !known.has(id)) {
          const added = stream(id);
          known.set(id, added);
          table.add(added);
        } else if (!adds) {
          known.delete(id);
          table.delete(id);
        }
        expect(table.size).toBe(known.size);
        expect(table.get(id)).toBe(known.get(id));
      }
      expect(ids(table)).toEqual([...known.keys()].sort((a, b) => a - b));
      for (const [id, found] of known) expect(table.get(id)).toBe(found);
    }),
  );
});

test('streams may be closed while they are visited', () => {
  const table = new StreamTable();
  for (let id = 1; id < 200; id += 2) table.add(stream(id));
  for (const { id } of table.values()) table.delete(id);
  expect(table.size).toBe(0);
  expect(table.has(1)).toBe(false);
});
