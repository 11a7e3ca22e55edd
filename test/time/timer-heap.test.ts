import { array, assert, boolean, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimerHeap } from '../../src/time/timer-heap.ts';

describe('the heap of timers', () => {
  it('returns the timers that were not removed by due time, then by the order of their addition', () => {
    const timers = array(record({ due: integer({ min: 0, max: 9 }), removed: boolean() }));
    assert(
      property(timers, (list) => {
        const heap = new TimerHeap();
        const added = list.map(({ due, removed }, index) => {
          const timer = { due, callback: () => undefined };
          return { timer, index, removed, remove: heap.add(timer) };
        });
        for (const { removed, remove } of added) if (removed) remove();
        for (const { removed, remove } of added) if (removed) remove();
        const kept = added.filter(({ removed }) => !removed);
        const expected = kept.sort(
          (one, other) => one.timer.due - other.timer.due || one.index - other.index,
        );
        const actual = [];
        for (let { first } = heap; first !== undefined; { first } = heap) {
          actual.push(first);
          heap.shift();
        }
        heap.shift();
        expect(actual).toEqual(expected.map(({ timer }) => timer));
      }),
    );
  });
});
