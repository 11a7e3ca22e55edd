import type { ListValue } from '../values/list.ts';
import type { Meter } from '../values/meter.ts';
import { sizeOf } from '../values/size.ts';
import type { CallCost, CelFunction } from './function.ts';

const once: CallCost = (_frame, left, right) => 1 + sizeOf(left) * sizeOf(right);
const twice: CallCost = (_frame, left, right) => 1 + 2 * sizeOf(left) * sizeOf(right);

/** Whether a list contains every element of another. */
function containsAll(list: ListValue, part: ListValue, meter: Meter): boolean {
  for (let index = 0; index < part.size; index++) if (!list.contains(part.get(index), meter)) return false;
  return true;
}

function intersects(left: ListValue, right: ListValue, meter: Meter): boolean {
  for (let index = 0; index < left.size; index++) if (right.contains(left.get(index), meter)) return true;
  return false;
}

/** A function of two lists whose cost is checked before the work is done. */
const ofLists = (
  name: string,
  id: string,
  cost: CallCost,
  decide: (left: ListValue, right: ListValue, meter: Meter) => boolean,
): CelFunction => ({
  name,
  overloads: [
    {
      id,
      arguments: ['list', 'list'],
      cost,
      invoke: (frame, left, right) => {
        frame.ensureAffordable(cost(frame, left, right, null));
        return decide(left as ListValue, right as ListValue, frame);
      },
    },
  ],
});

/** Lists as sets. */
export const SETS: readonly CelFunction[] = [
  ofLists('sets.contains', 'list_sets_contains_list', once, containsAll),
  ofLists('sets.intersects', 'list_sets_intersects_list', once, intersects),
  ofLists(
    'sets.equivalent',
    'list_sets_equivalent_list',
    twice,
    (left, right, meter) => containsAll(left, right, meter) && containsAll(right, left, meter),
  ),
];
