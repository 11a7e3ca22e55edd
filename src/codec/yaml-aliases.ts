import { setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { TooManyPartsError } from './parts.ts';

/** Maximum nesting, as in kube-apiserver. */
export const MAXIMUM_DEPTH = 10_000;
/** Maximum characters of text that aliases may add. */
const ALIASED_CHARACTERS = 3 * 1024 * 1024;

/** What a part of a document costs. */
export interface Cost {
  /** Values that Go's decoder counts, those of aliases each time. */
  values: number;
  /** Parts of its JSON. */
  parts: number;
  characters: number;
}

/** A value with an anchor. */
export interface Anchored extends Cost {
  readonly value: unknown;
  /** Levels of containers in it. */
  readonly height: number;
}

/**
 * Counts the work of a document, before it is done: that of aliases as Go's decoder does, which refuses a
 * document of which too much is aliased.
 */
export class WorkCount implements Cost {
  values = 0;
  parts = 0;
  characters = 0;
  private aliased = 0;
  private aliasedCharacters = 0;

  constructor(private readonly limit: number) {}

  /** @throws TooManyPartsError beyond the limit */
  addParts(parts: number): void {
    this.parts += parts;
    if (this.parts > this.limit) throw new TooManyPartsError();
  }

  /**
   * Counts an alias before its value is copied.
   * @param depth containers around it
   * @throws DecodeError, TooManyPartsError
   */
  addAlias(anchored: Anchored, depth: number): void {
    this.values += 1 + anchored.values;
    this.aliased += anchored.values;
    this.aliasedCharacters += anchored.characters;
    this.characters += anchored.characters;
    const isExcessive =
      this.aliased > 100 && this.values > 1000 && this.aliased / this.values > allowedRatio(this.values);
    if (isExcessive || this.aliasedCharacters > ALIASED_CHARACTERS)
      throw new DecodeError('yaml: document contains excessive aliasing');
    if (depth + anchored.height > MAXIMUM_DEPTH)
      throw new DecodeError(`yaml: exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.addParts(anchored.parts);
  }
}

/** The part of a document's values that may be aliased: less of a large one. */
function allowedRatio(values: number): number {
  const fewest = 400_000;
  const most = 4_000_000;
  return 0.99 - 0.89 * Math.min(1, Math.max(0, (values - fewest) / (most - fewest)));
}

/** Copies a plain value, in steps of some milliseconds. @param copied receives each container and its copy */
export function* copyValue(root: unknown, copied: (from: object, to: object) => void): Steps<unknown> {
  if (typeof root !== 'object' || root === null) return root;
  const result = emptyCopy(root);
  const pending: [from: object, to: object][] = [[root, result]];
  const pace = new Pace(stepSizes.values);
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [from, to] = pair;
    copied(from, to);
    for (const key of Object.keys(from)) {
      if (pace.isPause()) yield;
      const value = (from as Record<string, unknown>)[key];
      const copy = emptyCopy(value);
      if (typeof value === 'object' && value !== null) pending.push([value, copy as object]);
      if (Array.isArray(to)) to.push(copy);
      else setMember(to, key, copy);
    }
  }
  return result;
}

function emptyCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  return (Array.isArray(value) ? [] : {}) as Value;
}
