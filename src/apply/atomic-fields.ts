import { FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed.ts';
import type { Shape } from './shape.ts';

/**
 * Returns the managers with the fields that they own by the current schema: a manager of parts of a value that
 * has become atomic owns the whole value. The same managers if nothing changed.
 */
export function withAtomicFields(
  managers: Managers,
  shapeOf: (apiVersion: string) => Shape | undefined,
): Managers {
  let changed: Map<string, Manager> | undefined;
  for (const [key, manager] of managers) {
    const shape = shapeOf(manager.apiVersion);
    const fields = shape === undefined ? manager.fields : atomicFields(shape, manager.fields);
    if (fields === manager.fields) continue;
    changed ??= new Map(managers);
    changed.set(key, { ...manager, fields });
  }
  return changed ?? managers;
}

function atomicFields(shape: Shape, fields: FieldSet): FieldSet {
  if (fields.children.size === 0) return fields;
  if (shape.kind === 'leaf' && shape.expects !== 'any') return new FieldSet(true, new Map());
  let children: Map<string, FieldSet> | undefined;
  for (const [element, child] of fields.children) {
    const inner = element.startsWith('f:')
      ? shape.member(element.slice(2))?.shape
      : shape.kind === 'keyed'
        ? shape.item()
        : undefined;
    const next = inner === undefined ? child : atomicFields(inner, child);
    if (next === child) continue;
    children ??= new Map(fields.children);
    children.set(element, next);
  }
  return children === undefined ? fields : new FieldSet(fields.member, children);
}
