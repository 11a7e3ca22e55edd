import { runNow } from './run.ts';
import { stepSizes } from './sizes.ts';
import type { Pause, Steps } from './steps.ts';

/** Cost of the items of a list that are checked as one unit. A run completes a unit or repeats it. */
const COST_PER_UNIT = 64;
/** Cost of an item that is derived: mostly the name of a member of a map. */
const COST_OF_DERIVED = 0.2;
/** Maximum number of pauses; then validation runs to its end, since it makes no progress. */
const MAXIMUM_RUNS = 10_000;

/** Ends a run. Not an Error: it needs no stack trace. */
const PAUSED = Symbol('paused');

/** A check that has begun and takes more steps. */
interface PendingCheck {
  readonly steps: Steps<unknown>;
  readonly first: Pause;
  readonly keep: (result: unknown) => void;
}

/** State of a validation that takes several runs. */
interface Progress {
  /** Kept results by the identity of a list or object, then by place. */
  readonly done: WeakMap<object, Map<string, unknown>>;
  /** Remaining cost of the current run. */
  left: number;
  /** The current run has computed a result that is kept. */
  advanced: boolean;
  /** The check for which the run has ended; the next run finds its result. */
  pending: PendingCheck | undefined;
}

let progress: Progress | undefined;

/** Ends the run when its cost is used up and the next run will get further. */
function pauseIfDue(run: Progress): void {
  if (run.left <= 0 && run.advanced) throw PAUSED;
}

function resultsAt({ done }: Progress, owner: object): Map<string, unknown> {
  let results = done.get(owner);
  if (results === undefined) {
    results = new Map();
    done.set(owner, results);
  }
  return results;
}

/**
 * Runs a synchronous validation in runs of bounded length and yields between them. Each run repeats the
 * validation from the start, but reuses the results of {@link resultsOfEach}, {@link once} and {@link onceInTurns}
 * that earlier runs completed. The validation must have no side effects, and the object must not change between
 * runs.
 * @param costPerRun maximum cost of one run, roughly in microseconds
 */
export function* replay<Result>(
  validate: () => Result,
  costPerRun = stepSizes.checkMicroseconds,
): Steps<Result> {
  const done = new WeakMap<object, Map<string, unknown>>();
  for (let run = 1; ; run += 1) {
    const left = run < MAXIMUM_RUNS ? costPerRun : Number.MAX_SAFE_INTEGER;
    const current: Progress = { done, left, advanced: false, pending: undefined };
    progress = current;
    try {
      return validate();
    } catch (error) {
      if (error !== PAUSED) throw error;
    } finally {
      progress = undefined;
    }
    if (current.pending === undefined) yield;
    else yield* complete(current.pending);
  }
}

/** Does the other steps of a check. */
function* complete({ steps, first, keep }: PendingCheck): Steps<void> {
  yield first;
  keep(yield* steps);
}

/** Records the cost of work outside of lists, roughly in microseconds. */
export function spend(cost: number): void {
  if (progress !== undefined) progress.left -= cost;
}

/** Identifies a result between runs. */
interface OnceOptions {
  /** Identifies one of several results of the same object. */
  readonly place: string;
  /** Cost of the computation, roughly in microseconds. */
  readonly cost: number;
}

/**
 * Returns the result of a computation, which inside {@link replay} runs once for all runs.
 * @param owner identifies the computation between runs, with the place: an object of the validated value
 */
export function once<Result>(owner: object, { place, cost }: OnceOptions, compute: () => Result): Result {
  const run = progress;
  if (run === undefined) return compute();
  const results = resultsAt(run, owner);
  const key = `once ${place}`;
  if (results.has(key)) return results.get(key) as Result;
  pauseIfDue(run);
  const result = compute();
  run.left -= cost;
  results.set(key, result);
  run.advanced = true;
  return result;
}

/** {@link OnceOptions}, where the cost may depend on the result. */
interface CheckOptions<Result> {
  readonly place: string;
  readonly cost: number | ((result: Result) => number);
}

/**
 * {@link once} for a check that may take long. Inside {@link replay} it begins at once; when it pauses, the run
 * ends and the runner of the validation does its other steps.
 * @param options the cost is that of a check that takes one step
 */
export function onceInTurns<Result>(
  owner: object,
  { place, cost }: CheckOptions<Result>,
  check: () => Steps<Result>,
): Result {
  const run = progress;
  if (run === undefined) return runNow(check());
  const results = resultsAt(run, owner);
  const key = `once ${place}`;
  if (results.has(key)) return results.get(key) as Result;
  pauseIfDue(run);
  const steps = check();
  const first = aside(() => steps.next());
  const keep = (result: unknown): unknown => results.set(key, result);
  if (first.done !== true) {
    run.pending = { steps, first: first.value, keep };
    throw PAUSED;
  }
  run.left -= typeof cost === 'number' ? cost : cost(first.value);
  keep(first.value);
  run.advanced = true;
  return first.value;
}

/** Does work that is no part of the current run. */
function aside<Result>(work: () => Result): Result {
  const run = progress;
  progress = undefined;
  try {
    return work();
  } finally {
    progress = run;
  }
}

/** How the items of a list are checked. */
interface EachOptions {
  /** Identifies one of several checks of the same list. */
  readonly place: string;
  /** Cost of one check, roughly in microseconds; default: 1. */
  readonly cost?: number;
  /** The items after this many results are not checked; default: all are. */
  readonly enough?: number;
}

/** Returns the items, when the list is a map or the items are derived from it. */
interface DerivedItems<Item> extends EachOptions {
  readonly items: () => readonly Item[];
}

interface AnyItems<Item> extends EachOptions {
  readonly items?: (() => readonly Item[]) | undefined;
}

type Check<Item, Result> = (item: Item, index: number) => Result;

/** Results of the first items of a list. */
interface Collected<Item, Result> {
  readonly items: readonly Item[];
  readonly results: Result[];
  /** Number of items that have been checked. */
  checked: number;
}

/** Begins to collect. Many items are derived once for all runs. */
function begin<Item, Result>(
  run: Progress,
  list: object,
  place: string,
  derive: (() => readonly Item[]) | undefined,
): Collected<Item, Result> {
  if (derive === undefined) return { items: list as readonly Item[], results: [], checked: 0 };
  pauseIfDue(run);
  const collected = { items: derive(), results: [], checked: 0 };
  const count = collected.items.length;
  if (count <= COST_PER_UNIT) return collected;
  run.left -= count * COST_OF_DERIVED;
  resultsAt(run, list).set(place, collected);
  run.advanced = true;
  return collected;
}

/** Collects what the checks of all items append; inside {@link replay} a run can end between two units. */
function collect<Item, Result>(
  list: object,
  { place, cost = 1, enough = Number.POSITIVE_INFINITY, items: derive }: AnyItems<Item>,
  append: (results: Result[], item: Item, index: number) => void,
): Result[] {
  const run = progress;
  if (run === undefined) {
    const items = derive?.() ?? (list as readonly Item[]);
    const results: Result[] = [];
    for (let index = 0; index < items.length && results.length < enough; index += 1)
      append(results, items[index]!, index);
    return results;
  }
  const kept = run.done.get(list)?.get(place) as Collected<Item, Result> | undefined;
  const collected = kept ?? begin<Item, Result>(run, list, place, derive);
  const { items, results } = collected;
  while (collected.checked < items.length && results.length < enough) {
    pauseIfDue(run);
    const { left } = run;
    const found: Result[] = [];
    let index = collected.checked;
    while (index < items.length && left - run.left < COST_PER_UNIT) {
      append(found, items[index]!, index);
      run.left -= cost;
      index += 1;
    }
    for (const result of found) results.push(result);
    collected.checked = index;
    if (left - run.left < COST_PER_UNIT) continue;
    resultsAt(run, list).set(place, collected);
    run.advanced = true;
  }
  // The caller may change its copy.
  return results.slice();
}

/**
 * Returns the results of a check of each item, in order. Inside {@link replay} a run can end between two
 * units.
 * @param list identifies the list between runs: the list or map in the validated object
 * @param check must return the same result for an item in each run
 */
export function resultsOfEach<Item, Result>(
  list: readonly Item[],
  options: EachOptions,
  check: Check<Item, Result>,
): Result[];
export function resultsOfEach<Item, Result>(
  list: object,
  options: DerivedItems<Item>,
  check: Check<Item, Result>,
): Result[];
export function resultsOfEach<Item, Result>(
  list: object,
  options: AnyItems<Item>,
  check: Check<Item, Result>,
): Result[] {
  return collect<Item, Result>(list, options, (results, item, index) => results.push(check(item, index)));
}

/** Returns the errors (or warnings) of all items, in order; see {@link resultsOfEach}. */
export function checkEach<Item, Found>(
  list: readonly Item[],
  options: EachOptions,
  check: Check<Item, readonly Found[]>,
): Found[];
export function checkEach<Item, Found>(
  list: object,
  options: DerivedItems<Item>,
  check: Check<Item, readonly Found[]>,
): Found[];
export function checkEach<Item, Found>(
  list: object,
  options: AnyItems<Item>,
  check: Check<Item, readonly Found[]>,
): Found[] {
  return collect<Item, Found>(list, options, (errors, item, index) => {
    for (const error of check(item, index)) errors.push(error);
  });
}
