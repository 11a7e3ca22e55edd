import { quote } from '../../errors/quote.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import type { Node } from './node.ts';
import { type Mark, type Run, TOO_MUCH_WORK } from './run.ts';
import type { ValueSchema } from './value-schema.ts';

/** One junctor of a schema: its alternatives, and what is reported when they have been tried. */
export interface Junctor {
  readonly nodes: readonly Node[];
  /** Starts the attempts at a value. */
  begin(run: Run): Attempts;
}

/** The attempts of one junctor at one value. */
export interface Attempts {
  /** Ends the attempt of one alternative. @returns whether the result is certain */
  endOne(): boolean;
  /** Adds the errors of the junctor. */
  finish(): void;
}

const NONE: readonly Junctor[] = [];

/** Junctors of a schema, in the order in which the reference tries them. */
export function junctorsOf(
  { anyOf, oneOf, allOf, not }: ValueSchema,
  nodeOf: (schema: ValueSchema) => Node,
): readonly Junctor[] {
  const junctors: Junctor[] = [];
  const add = (schemas: readonly ValueSchema[] | undefined, begin: (run: Run, count: number) => Attempts) => {
    if (schemas === undefined || schemas.length === 0) return;
    const nodes = schemas.map(nodeOf);
    junctors.push({ nodes, begin: (run) => begin(run, nodes.length) });
  };
  add(anyOf, (run) => new AnyOf(run));
  add(oneOf, (run) => new OneOf(run));
  add(allOf, (run, count) => new AllOf(run, count));
  if (not !== undefined) add([not], (run) => new Not(run));
  return junctors.length === 0 ? NONE : junctors;
}

/** The errors of a failed alternative. */
interface Failure {
  readonly errors: readonly FieldError[];
  readonly count: number;
  readonly score: number;
}

/** Adds an error of a junctor: it is reported at the root; its message names the value. */
function reject(run: Run, text: string): void {
  run.hasRepeats = true;
  run.fail((_field, name) => invalidFormatted(run.rootField, '""', `${quote(name)} ${text}`));
}

/** Tries alternatives one after the other and keeps the errors of the best one aside. */
abstract class Choice implements Attempts {
  protected passed = 0;
  private best: Failure | undefined;
  private passedScore = 0;
  private readonly start: Mark;

  constructor(protected readonly run: Run) {
    this.start = run.mark();
  }

  endOne(): boolean {
    const { run, start } = this;
    const count = run.count - start.count;
    const score = run.score - start.score;
    if (count === 0) {
      if (this.passed === 0) this.passedScore = score;
      this.passed += 1;
    } else if (this.passed === 0 && (this.best === undefined || score > this.best.score)) {
      this.best = { errors: run.errors.slice(start.count), count, score };
    }
    run.rollback(start);
    return this.isCertain();
  }

  abstract isCertain(): boolean;
  abstract finish(): void;

  protected addScore(): void {
    this.run.score += this.passedScore;
  }

  protected addBest(): void {
    if (this.best === undefined) return;
    const { run, best } = this;
    run.score += best.score;
    run.restore(best.errors, best.count);
  }
}

class AnyOf extends Choice {
  isCertain(): boolean {
    return this.passed > 0;
  }

  finish(): void {
    if (this.passed > 0) {
      this.addScore();
      return;
    }
    reject(this.run, 'must validate at least one schema (anyOf)');
    this.addBest();
  }
}

class OneOf extends Choice {
  isCertain(): boolean {
    return false;
  }

  finish(): void {
    if (this.passed === 1) {
      this.addScore();
      return;
    }
    const head = 'must validate one and only one schema (oneOf).';
    if (this.passed > 0) reject(this.run, `${head} Found ${this.passed} valid alternatives`);
    else {
      reject(this.run, `${head} Found none valid`);
      this.addBest();
    }
  }
}

class AllOf implements Attempts {
  private passed = 0;
  private count: number;

  constructor(
    private readonly run: Run,
    private readonly expected: number,
  ) {
    this.count = run.count;
  }

  endOne(): boolean {
    if (this.run.count === this.count) this.passed += 1;
    this.count = this.run.count;
    return false;
  }

  finish(): void {
    if (this.passed < this.expected)
      reject(this.run, `must validate all the schemas (allOf)${this.passed === 0 ? '. None validated' : ''}`);
  }
}

class Not implements Attempts {
  private failed = false;
  private readonly start: Mark;

  constructor(private readonly run: Run) {
    this.start = run.mark();
  }

  endOne(): boolean {
    this.failed = this.run.count > this.start.count;
    this.run.rollback(this.start);
    return true;
  }

  finish(): void {
    if (!this.failed) reject(this.run, 'must not validate the schema (not)');
  }
}

/** The error of a value that is too costly to validate, or nested too deeply. */
export function tooMuchWork(run: Run, error: unknown): FieldError[] {
  if (error !== TOO_MUCH_WORK && !(error instanceof RangeError)) throw error;
  const detail = 'the value is too large for the alternatives and patterns of its schema';
  return [invalidFormatted(run.rootField, '""', detail)];
}
