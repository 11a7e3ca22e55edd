import type { ListValue } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { isError, kindOf } from '../values/value.ts';
import { computedStep, constantStep, type Step } from './step.ts';

const HASHABLE = new Set(['bool', 'int', 'uint', 'double', 'string']);

/**
 * `x in [constants]`: a hash look-up that costs nothing beyond x. Undefined when the list contains other
 * values than scalars.
 */
export function planMembership(element: Step, list: ListValue): Step | undefined {
  if (list.size === 0) return constantStep(false);
  const members = Array.from({ length: list.size }, (_, index) => list.get(index));
  if (!members.every((member) => HASHABLE.has(kindOf(member)))) return undefined;
  const set = EntriesMap.of(members.map((member) => [member, true] as const));
  if (set === undefined) return undefined;
  const { evaluate } = element;
  return computedStep((frame) => {
    const value = evaluate(frame);
    return isError(value) ? value : set.find(value) !== undefined;
  });
}
