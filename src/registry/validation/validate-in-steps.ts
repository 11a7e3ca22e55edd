import { type FieldError, MAXIMUM_FIELD_ERRORS, observeErrors } from '../../status/field-error.ts';
import type { Steps } from '../../steps/steps.ts';

/** Cost of the items of a list that are checked as one unit. A run completes a unit or repeats it. */
const COST_PER_UNIT = 64;
/** Maximum cost of the checks of one run, roughly in microseconds. */
const COST_PER_RUN = 8192;
/** Maximum number of pauses; then validation runs to its end, since it makes no progress. */
const MAXIMUM_RUNS = 10_000;

/** Ends a run. Not an Error: it needs no stack trace. */
const PAUSED = Symbol('paused');

/** State of a validation that takes several runs. */
interface Progress {
  /** Kept results by the identity of a list or object, then by place. */
  readonly done: WeakMap<object, Map<string, unknown>>;
  /** Remaining cost of the current run. */
  left: number;
  /** The current run has computed a result that is kept. */
  advanced: boolean;
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
 * validation from the start, but reuses the results of {@link resultsOfEach} and {@link once} that earlier runs
 * completed. The validation must have no side effects, and the object must not change between runs.
 * @param costPerRun maximum cost of one run; lower in tests
 */
export function* validateInSteps<Result>(validate: () => Result, costPerRun = COST_PER_RUN): Steps<Result> {
  const done = new WeakMap<object, Map<string, unknown>>();
  for (let run = 1; ; run += 1) {
    progress = { done, left: run < MAXIMUM_RUNS ? costPerRun : Number.MAX_SAFE_INTEGER, advanced: false };
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

/** Ends a validation that has found the maximum number of errors. */
const TOO_MANY = Symbol('too many errors');

/** Bounds of a validation; lower in tests. */
interface ErrorBounds {
  readonly costPerRun?: number;
  readonly maximumErrors?: number;
}

/**
 * {@link validateInSteps} for a validation that returns errors. It ends when it has created the maximum number
 * of errors, in one run or in all; the result then contains these, in the order in which they were created.
 */
export function* findErrorsInSteps(
  validate: () => readonly FieldError[],
  { costPerRun = COST_PER_RUN, maximumErrors = MAXIMUM_FIELD_ERRORS }: ErrorBounds = {},
): Steps<readonly FieldError[]> {
  let found: CreatedErrors | undefined;
  const observe = (error: FieldError): void => {
    found ??= new CreatedErrors();
    if (found.add(error) >= maximumErrors) throw TOO_MANY;
  };
  try {
    return yield* validateInSteps(() => {
      found?.beginRun();
      return observeErrors(observe, validate);
    }, costPerRun);
  } catch (error) {
    if (error !== TOO_MANY) throw error;
    return found!.errors;
  }
}

/** Errors that the runs of a validation create. A run repeats errors of earlier runs. */
class CreatedErrors {
  readonly errors: FieldError[] = [];
  /** By type and field: a text may be long, and is created on demand. */
  private readonly counts = new Map<string, number>();
  private readonly countsOfRun = new Map<string, number>();
  private createdInRun = 0;

  beginRun(): void {
    this.countsOfRun.clear();
    this.createdInRun = 0;
  }

  /** Returns the number of errors in all, or in this run if that is larger. */
  add(error: FieldError): number {
    const key = `${error.type} ${error.field}`;
    const count = (this.countsOfRun.get(key) ?? 0) + 1;
    this.countsOfRun.set(key, count);
    this.createdInRun += 1;
    if (count > (this.counts.get(key) ?? 0)) {
      this.counts.set(key, count);
      this.errors.push(error);
    }
    return Math.max(this.errors.length, this.createdInRun);
  }
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
 * Returns the result of a computation, which inside {@link validateInSteps} runs once for all runs.
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

/**
 * {@link once} for a computation in parts: a run can end between two of them.
 * @param parts yields the cost of each part, roughly in microseconds; must not call the functions of this module
 */
export function onceInParts<Result>(
  owner: object,
  place: string,
  parts: () => Generator<number, Result, void>,
): Result {
  const run = progress;
  const results = run && resultsAt(run, owner);
  const key = `parts ${place}`;
  const kept = (results?.get(key) as Parts<Result> | undefined) ?? { steps: parts(), last: undefined };
  results?.set(key, kept);
  for (;;) {
    if (kept.last?.done === true) return kept.last.value;
    if (run !== undefined) pauseIfDue(run);
    kept.last = kept.steps.next();
    if (run === undefined) continue;
    if (kept.last.done !== true) run.left -= kept.last.value;
    run.advanced = true;
  }
}

/** A computation in parts, and what it has yielded or returned last. */
interface Parts<Result> {
  readonly steps: Generator<number, Result, void>;
  last: IteratorResult<number, Result> | undefined;
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

/** Collects what the checks of all items append; inside {@link validateInSteps} a run can end between two units. */
function collect<Item, Result>(
  list: object,
  { place, cost = 1, enough = Number.POSITIVE_INFINITY, items: derive }: AnyItems<Item>,
  append: (results: Result[], item: Item, index: number) => void,
): Result[] {
  const run = progress;
  const kept = run?.done.get(list)?.get(place) as Collected<Item, Result> | undefined;
  const items = kept?.items ?? derive?.() ?? (list as readonly Item[]);
  const collected = kept ?? { items, results: [], checked: 0 };
  const { results } = collected;
  if (run === undefined) {
    for (let index = 0; index < items.length && results.length < enough; index += 1)
      append(results, items[index]!, index);
    return results;
  }
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
  options: AnyItems<Item>,
  check: Check<Item, Result>,
): Result[] {
  return collect<Item, Result>(list, options, (results, item, index) => results.push(check(item, index)));
}

/** Returns the errors (or warnings) of all items, in order; see {@link resultsOfEach}. */
export function checkEach<Item, Found = FieldError>(
  list: readonly Item[],
  options: EachOptions,
  check: Check<Item, readonly Found[]>,
): Found[];
export function checkEach<Item, Found = FieldError>(
  list: object,
  options: DerivedItems<Item>,
  check: Check<Item, readonly Found[]>,
): Found[];
export function checkEach<Item, Found = FieldError>(
  list: object,
  options: AnyItems<Item>,
  check: Check<Item, readonly Found[]>,
): Found[] {
  return collect<Item, Found>(list, options, (errors, item, index) => {
    for (const error of check(item, index)) errors.push(error);
  });
}
