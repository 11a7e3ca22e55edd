import type { FieldError } from '../../status/field-error.ts';

/** Items of a long list that are checked as one unit. A run completes a unit or repeats it. */
const ITEMS_PER_UNIT = 64;
/** Maximum cost of the checks of one run, roughly in microseconds. */
const COST_PER_RUN = 8192;
/** Maximum number of pauses; then validation runs to its end, since it makes no progress. */
const MAXIMUM_RUNS = 10_000;

/** Ends a run. Not an Error: it needs no stack trace. */
const PAUSED = Symbol('paused');

/** State of a validation that takes several runs. */
interface Progress {
  /** Results by list identity, then by place and index of the first item. */
  readonly done: WeakMap<object, Map<string, readonly unknown[]>>;
  /** Remaining cost of the current run. */
  left: number;
  /** The current run has completed a new unit. */
  advanced: boolean;
}

let progress: Progress | undefined;

/**
 * Runs a synchronous validation in runs of bounded length and yields between them. Each run repeats the
 * validation from the start, but reuses the results of {@link resultsOfEach} units that earlier runs
 * completed. The validation must have no side effects, and the object must not change between runs.
 * @param costPerRun maximum cost of one run; lower in tests
 */
export function* validateInSteps<Result>(
  validate: () => Result,
  costPerRun = COST_PER_RUN,
): Generator<undefined, Result, void> {
  const done = new WeakMap<object, Map<string, readonly unknown[]>>();
  for (let run = 1; ; run += 1) {
    progress = { done, left: run < MAXIMUM_RUNS ? costPerRun : Number.POSITIVE_INFINITY, advanced: false };
    try {
      return validate();
    } catch (error) {
      if (error !== PAUSED) throw error;
    } finally {
      progress = undefined;
    }
    yield;
  }
}

/** How the items of a list are checked. */
interface EachOptions {
  /** Identifies one of several checks of the same list. */
  readonly place: string;
  /** Cost of one check, roughly in microseconds; default: 1. */
  readonly cost?: number;
}

/** Items, when the list is a map or the items are derived from it. */
interface DerivedItems<Item> extends EachOptions {
  readonly items: readonly Item[];
}

type Check<Item, Result> = (item: Item, index: number) => Result;

/**
 * Returns the results of a check of each item, in order. Inside {@link validateInSteps} a run can end between two
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
  { place, cost = 1, items = list as readonly Item[] }: EachOptions & { readonly items?: readonly Item[] },
  check: Check<Item, Result>,
): Result[] {
  const run = progress;
  const results: Result[] = [];
  if (run === undefined || items.length <= ITEMS_PER_UNIT) {
    if (run !== undefined) run.left -= cost * items.length;
    for (let index = 0; index < items.length; index += 1) results.push(check(items[index]!, index));
    return results;
  }
  let units = run.done.get(list);
  if (units === undefined) {
    units = new Map();
    run.done.set(list, units);
  }
  for (let from = 0; from < items.length; from += ITEMS_PER_UNIT) {
    const key = `${from} ${place}`;
    let unit = units.get(key) as readonly Result[] | undefined;
    if (unit === undefined) {
      if (run.left <= 0 && run.advanced) throw PAUSED;
      const end = Math.min(items.length, from + ITEMS_PER_UNIT);
      const found: Result[] = [];
      for (let index = from; index < end; index += 1) found.push(check(items[index]!, index));
      units.set(key, found);
      run.left -= cost * (end - from);
      run.advanced = true;
      unit = found;
    }
    for (const result of unit) results.push(result);
  }
  return results;
}

/** Returns the errors of all items, in order; see {@link resultsOfEach}. */
export function checkEach<Item>(
  list: readonly Item[],
  options: EachOptions,
  check: Check<Item, readonly FieldError[]>,
): FieldError[];
export function checkEach<Item>(
  list: object,
  options: DerivedItems<Item>,
  check: Check<Item, readonly FieldError[]>,
): FieldError[];
export function checkEach<Item>(
  list: object,
  options: EachOptions & { readonly items?: readonly Item[] },
  check: Check<Item, readonly FieldError[]>,
): FieldError[] {
  const { items = list as readonly Item[] } = options;
  const errors: FieldError[] = [];
  for (const found of resultsOfEach(list, { ...options, items }, check))
    for (const error of found) errors.push(error);
  return errors;
}
