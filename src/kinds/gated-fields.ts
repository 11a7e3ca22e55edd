import type { Life } from '../model/life.ts';
import type { RuleContext } from '../model/rule-context.ts';

/**
 * A field of a feature gate. While the gate is off, the server drops the field without an error. The life is that of
 * the rule, where another gate governs the field in other releases.
 */
export interface GatedField<Root> extends Life {
  readonly gate: string;
  /** A second gate that the field needs. */
  readonly secondGate?: string;
  readonly member: string;
  /** Returns the objects that can contain the field. */
  parents(root: Root): readonly (object | undefined)[];
}

/**
 * Drops the fields of disabled gates, unless the old object already uses them: it was stored while the gate
 * was on.
 */
export function dropGatedFields<Root>(
  fields: readonly GatedField<Root>[],
  root: Root | undefined,
  old: Root | undefined,
  { has, isOn }: RuleContext,
): void {
  if (root === undefined) return;
  for (const field of fields) {
    const { gate, secondGate = gate, member, parents } = field;
    if (!has(field) || (isOn(gate) && isOn(secondGate))) continue;
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
