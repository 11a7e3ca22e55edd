import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Node } from './node.ts';
import type { Place } from './places.ts';

/** A container that is still to be visited, with its schema. */
export interface Visit {
  readonly value: object;
  readonly node: Node | undefined;
  readonly place: Place | undefined;
}

/**
 * Visits containers with an explicit stack, so that depth uses no stack of the program. The visitor adds the
 * containers inside and returns the number of members or elements that it looked at. In steps of a few milliseconds.
 */
export function* walkAll<One>(first: One, visit: (one: One, rest: One[]) => number): Steps<void> {
  const pace = new Pace(stepSizes.values);
  const rest = [first];
  for (let one = rest.pop(); one !== undefined; one = rest.pop())
    if (pace.isPause(1 + visit(one, rest))) yield;
}

/** Reverses the entries added to a stack since `from`, so that they are visited in document order. */
export function inOrder<One>(rest: One[], from: number): void {
  for (let left = from, right = rest.length - 1; left < right; left += 1, right -= 1) {
    const one = rest[left]!;
    rest[left] = rest[right]!;
    rest[right] = one;
  }
}
