import { describe, expect, it } from 'vitest';
import { firstStep, nextStep, Turns, takeInHand } from '../../../src/request/scheduling/event-loop.ts';

const large = 1 << 20;

describe('turns of large requests', () => {
  it('small requests take no turns', () => {
    expect(firstStep({ bytesInHand: 1000 })).toBeUndefined();
    expect(nextStep({ bytesInHand: 1000 })).toBeUndefined();
  });

  it('the largest thing in hand counts', () => {
    const request = { bytesInHand: 0 };
    takeInHand(request, large);
    takeInHand(request, 10);
    expect(request.bytesInHand).toBe(large);
    expect(nextStep(request)).toBeInstanceOf(Promise);
  });

  it('who has begun goes first, everyone in the order of asking', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const take = async (name: string, begun: boolean): Promise<void> => {
      await turns.take(begun);
      order.push(name);
    };
    await Promise.all([
      take('new 1', false),
      take('begun 1', true),
      take('new 2', false),
      take('begun 2', true),
    ]);
    expect(order).toEqual(['begun 1', 'begun 2', 'new 1', 'new 2']);
  });

  it('one that goes on goes before those that have not begun', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      await turns.take(false);
      order.push(`${name} begins`);
      await turns.take(true);
      order.push(`${name} ends`);
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('the loop turns between any two steps', async () => {
    const turns = new Turns();
    let loops = 0;
    let running = true;
    const count = (): void => {
      loops += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await turns.take(false);
        seen.push(loops);
        await turns.take(true);
        seen.push(loops);
      }),
    );
    running = false;
    expect(new Set(seen).size).toBe(seen.length);
  });
});
