import { type FieldError, MAXIMUM_FIELD_ERRORS, observeErrors } from '../../status/field-error.ts';
import { replay } from '../../steps/replay.ts';
import type { Pause, Steps } from '../../steps/steps.ts';

/** Ends a validation that has found the maximum number of errors. */
const TOO_MANY = Symbol('too many errors');

/** Bounds of a validation; lower in tests. */
interface ErrorBounds {
  readonly costPerRun?: number | undefined;
  readonly maximumErrors?: number;
}

/**
 * {@link replay} for a validation that returns errors. It ends when it has created the maximum number
 * of errors, in one run or in all; the result then contains these, in the order in which they were created.
 */
export function* findErrors(
  validate: () => readonly FieldError[],
  { costPerRun, maximumErrors = MAXIMUM_FIELD_ERRORS }: ErrorBounds = {},
): Steps<readonly FieldError[]> {
  let found: CreatedErrors | undefined;
  const observe = (error: FieldError): void => {
    found ??= new CreatedErrors();
    if (found.add(error) >= maximumErrors) throw TOO_MANY;
  };
  try {
    return yield* replay(() => {
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

/**
 * Steps whose errors a validation around them does not count: as many are found at every pace, because a
 * validation that is replayed does not do all of the steps itself.
 */
export function* uncounted<Result>(steps: Steps<Result>): Steps<Result> {
  const next = (): IteratorResult<Pause, Result> => steps.next();
  for (;;) {
    const step = observeErrors(undefined, next);
    if (step.done === true) return step.value;
    yield step.value;
  }
}
