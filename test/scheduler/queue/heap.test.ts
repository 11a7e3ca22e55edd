import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from '../../../src/scheduler/queue/heap.ts';

interface Item {
  readonly rank: number;
}

const byRank = (left: Item, right: Item): number => left.rank - right.rank;

const ranks = (heap: Heap<Item>): number[] => {
  const taken: number[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) taken.push(item.rank);
  return taken;
};

it('gives its items in order, whatever was deleted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ rank: fc.nat(20), isDeleted: fc.boolean(), isTaken: fc.boolean() })),
      (steps) => {
        const heap = new Heap<Item>(byRank);
        let kept: Item[] = [];
        for (const { rank, isDeleted, isTaken } of steps) {
          const item = { rank };
          heap.push(item);
          kept.push(item);
          const gone = isDeleted ? kept[Math.floor(kept.length / 2)] : undefined;
          if (gone !== undefined) {
            heap.delete(gone);
            heap.delete(gone);
            kept = kept.filter((one) => one !== gone);
          }
          if (isTaken) {
            const first = heap.pop();
            expect(first?.rank).toBe(
              kept.length === 0 ? undefined : Math.min(...kept.map((one) => one.rank)),
            );
            kept = kept.filter((one) => one !== first);
          }
          expect(heap.size).toBe(kept.length);
        }
        expect(ranks(heap)).toEqual(kept.map((one) => one.rank).sort((left, right) => left - right));
      },
    ),
  );
});

it('is empty after it was cleared', () => {
  const heap = new Heap<Item>(byRank);
  heap.push({ rank: 1 });
  heap.clear();
  expect([heap.size, heap.first, heap.pop()]).toEqual([0, undefined, undefined]);
});
