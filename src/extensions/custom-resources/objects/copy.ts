import { copyingContainers } from '../../../codec/copy.ts';
import { LiteralRecorder, literalsOf } from '../../../codec/number-literals.ts';
import { RawJson } from '../../../model/object.ts';
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
  if (literals === undefined) return yield* copyingContainers(tree, { leafOf });
  const notes = new LiteralRecorder();
  const root = yield* copyingContainers(tree, {
    leafOf,
    onContainer(source, copy) {
      for (const [key, literal] of literals.get(source) ?? []) notes.add(copy, key, literal);
    },
  });
  notes.attachTo(root);
  return root;
}

function leafOf(leaf: unknown): unknown {
  if (leaf instanceof RawJson) return leaf.parse();
  // Go's integers have no negative zero.
  return Object.is(leaf, -0) ? 0 : leaf;
}
