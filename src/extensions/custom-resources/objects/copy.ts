import { LiteralRecorder, literalsOf } from '../../../codec/number-literals.ts';
import { RawJson, setMember } from '../../../model/object.ts';
import { Pace } from '../../../steps/pace.ts';
import { runNow } from '../../../steps/run.ts';
import type { Steps } from '../../../steps/steps.ts';

/**
 * Returns a deep copy of a plain tree. The copy keeps the recorded number literals (`4.0`), which belong to
 * the containers of a tree.
 */
export function copyWithLiterals<Tree extends object>(tree: Tree): Tree {
  return runNow(copying(tree));
}

/** {@link copyWithLiterals} in steps of some milliseconds. */
export function* copying<Tree extends object>(tree: Tree): Steps<Tree> {
  const literals = literalsOf(tree);
  const notes = literals === undefined ? undefined : new LiteralRecorder();
  const pace = new Pace();
  const root = emptyCopy(tree);
  /** The containers whose members are not copied yet, and their copies. */
  const sources: object[] = [tree];
  const copies: object[] = [root];
  const copyOf = (value: unknown): unknown => {
    // Go's integers have no negative zero.
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
    if (value instanceof RawJson) return value.parse();
    const copy = emptyCopy(value);
    sources.push(value);
    copies.push(copy);
    return copy;
  };
  for (let source = sources.pop(); source !== undefined; source = sources.pop()) {
    const copy = copies.pop()!;
    if (Array.isArray(source)) {
      for (const item of source) {
        if (pace.isPause()) yield;
        (copy as unknown[]).push(copyOf(item));
      }
    } else {
      for (const name of Object.keys(source)) {
        if (pace.isPause()) yield;
        setMember(copy, name, copyOf((source as Record<string, unknown>)[name]));
      }
    }
    for (const [key, literal] of literals?.get(source) ?? []) notes!.add(copy, key, literal);
  }
  notes?.attachTo(root);
  return root as Tree;
}

const emptyCopy = (container: object): object => (Array.isArray(container) ? [] : {});
