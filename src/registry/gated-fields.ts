import type { StrategyContext } from './strategy.ts';

/**
 * A member that belongs to a feature gate which is off by default: the reference accepts it and forgets it
 * while the gate is off.
 */
export interface GatedField<Root> {
  readonly gate: string;
  readonly member: string;
  /** Where the member can stand. */
  parents(root: Root): readonly (object | undefined)[];
}

/** Whether a gate that is off by default has been switched on. */
export const isGateOn = ({ isOn }: Pick<StrategyContext, 'isOn'>, gate: string): boolean =>
  isOn?.(gate) ?? false;

/**
 * Removes the members of gates that are off, but what the old object uses already: it was stored while the
 * gate was on.
 */
export function dropGatedFields<Root>(
  fields: readonly GatedField<Root>[],
  root: Root | undefined,
  old: Root | undefined,
  context: Pick<StrategyContext, 'isOn'>,
): void {
  if (root === undefined) return;
  for (const { gate, member, parents } of fields) {
    if (isGateOn(context, gate)) continue;
    const present = parents(root).filter((parent) => parent !== undefined && Object.hasOwn(parent, member));
    if (
      present.length === 0 ||
      (old !== undefined &&
        parents(old).some((parent) => parent !== undefined && Object.hasOwn(parent, member)))
    )
      continue;
    for (const parent of present) Reflect.deleteProperty(parent!, member);
  }
}
