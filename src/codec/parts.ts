import { BinnacleError } from '../errors/binnacle-error.ts';
import { RawJson } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { scanJson, weightOf } from './json-scan.ts';

/**
 * Maximum parts of a request body and of the decoded object. Parts are the colons and commas of its JSON: a
 * list item counts as one, an object member as two; a number, boolean or null that follows another one in a list
 * counts as a quarter. The largest objects in use (definitions of 1.5 MB) have about 60,000.
 */
export const MAXIMUM_PARTS = 100_000;

/**
 * Maximum parts of a request body with its `metadata.managedFields`, whose field sets are decoded as text. Each owner of all fields has as many parts as the object; two such owners fit.
 */
export const MAXIMUM_BODY_PARTS = 3 * MAXIMUM_PARTS;

/** A document exceeds the maximum number of parts. */
export class TooManyPartsError extends BinnacleError {
  override name = 'TooManyPartsError';
  readonly code = 'ERR_BINNACLE_TOO_MANY_PARTS';
}

/**
 * Counts the parts of a plain tree or typed value, as `scanJson` does for its text. It stops soon after the
 * limit. Values that occur more than once in the tree count each time.
 * @param isLeftOut whether the parts of a container do not count
 */
export function* countingParts(
  root: unknown,
  limit: number,
  isLeftOut: (container: object) => boolean = nothing,
): Steps<number> {
  const pace = new Pace(stepSizes.values);
  let parts = 0;
  let light = 0;
  const pending: object[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null && !isLeftOut(value)) pending.push(value);
  };
  visit(root);
  for (
    let container = pending.pop();
    container !== undefined && weightOf(parts, light) <= limit;
    container = pending.pop()
  ) {
    if (pace.isPause()) yield;
    if (container instanceof RawJson) {
      parts += scanJson(Buffer.from(container.text)).parts;
    } else if (Array.isArray(container)) {
      parts += Math.max(0, container.length - 1);
      let follows = false;
      for (const item of container) {
        if (pace.isPause()) yield;
        visit(item);
        const is = isLight(item);
        if (is && follows) light++;
        follows = is;
      }
    } else {
      let members = 0;
      for (const key in container) {
        if (pace.isPause()) yield;
        const member = (container as Record<string, unknown>)[key];
        if (member === undefined) continue;
        members++;
        visit(member);
      }
      parts += Math.max(0, 2 * members - 1);
    }
  }
  return weightOf(parts, light);
}

/** What a light item counts that follows another one. */
export const LIGHT_WEIGHT = 1 / 4;

/** Whether an item of a list is a number, a boolean or null. */
export const isLight = (item: unknown): boolean =>
  item === null || (typeof item !== 'object' && typeof item !== 'string');

const nothing = (): boolean => false;

/** Parts of the metadata that the server adds to an object: uid, times, versions and the like. */
const SERVER_PARTS = 64;

/**
 * Whether an object has at most {@link MAXIMUM_PARTS}. What the server adds does not count, so that a client can
 * send back what it has read: `metadata.managedFields`, and a few other members of the metadata.
 */
export function* checkingWithinParts(root: unknown): Steps<boolean> {
  const metadata = (root as { metadata?: { managedFields?: unknown } } | null | undefined)?.metadata;
  const entries = metadata?.managedFields;
  const limit = Array.isArray(entries) ? MAXIMUM_PARTS + SERVER_PARTS : MAXIMUM_PARTS;
  return (yield* countingParts(root, limit, (container) => container === entries)) <= limit;
}
