import { RawJson, setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { runNow } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';

/** What a copy does with the parts of a tree. */
export interface CopyRules {
  /** The copy of a scalar or of free-form data; default: the value itself. */
  leafOf?(leaf: unknown): unknown;
  /** Called with each container and its complete copy. */
  onContainer?(source: object, copy: object): void;
}

/** Returns a deep copy of the containers of a tree; free-form data are shared. */
export const copyContainers = <Tree extends object>(tree: Tree): Tree => runNow(copyingContainers(tree));

/** {@link copyContainers} in steps of some milliseconds. */
export function* copyingContainers<Tree extends object>(
  tree: Tree,
  { leafOf, onContainer }: CopyRules = {},
): Steps<Tree> {
  const pace = new Pace();
  const root = emptyCopy(tree);
  /** The containers whose members are not copied yet, and their copies. */
  const sources: object[] = [tree];
  const copies: object[] = [root];
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof RawJson)
      return leafOf === undefined ? value : leafOf(value);
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
    onContainer?.(source, copy);
  }
  return root as Tree;
}

const emptyCopy = (container: object): object => (Array.isArray(container) ? [] : {});
