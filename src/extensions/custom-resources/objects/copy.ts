import { LiteralRecorder, literalsOf, type NumberLiterals } from '../../../codec/number-literals.ts';
import { RawJson, setMember } from '../../../model/object.ts';

/**
 * Returns a deep copy of a plain tree. The copy keeps the recorded number literals (`4.0`), which belong to
 * the containers of a tree.
 */
export function copyWithLiterals<Tree extends object>(tree: Tree): Tree {
  const literals = literalsOf(tree);
  if (literals === undefined) return copyOf(tree, undefined, undefined) as Tree;
  const notes = new LiteralRecorder();
  const copy = copyOf(tree, literals, notes) as Tree;
  notes.attachTo(copy);
  return copy;
}

function copyOf(
  value: unknown,
  literals: NumberLiterals | undefined,
  notes: LiteralRecorder | undefined,
): unknown {
  // Go's integers have no negative zero.
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (value instanceof RawJson) return value.parse();
  const copy: object = Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) for (const item of value) (copy as unknown[]).push(copyOf(item, literals, notes));
  else
    for (const name of Object.keys(value))
      setMember(copy, name, copyOf((value as Record<string, unknown>)[name], literals, notes));
  for (const [key, literal] of literals?.get(value) ?? []) notes!.add(copy, key, literal);
  return copy;
}
