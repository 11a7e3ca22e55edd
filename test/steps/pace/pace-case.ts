import fc from 'fast-check';

/** The steps of a function under test, or the parts that it makes. */
type Work = Iterator<unknown, unknown, void>;

/** How a step function is compared with itself at another pace. */
export interface PaceCase {
  /** The functions that it covers, as `path/in/src.ts name` or `path/in/src.ts Class.name`. */
  readonly names: readonly string[];
  check(run: (start: () => Work, atOnce?: () => unknown) => void): fc.IProperty<[unknown]>;
}

/** Makes a case. Functions that others use are covered by these. */
export function paceCase<Input>(
  names: string | readonly string[],
  inputs: fc.Arbitrary<Input>,
  start: (input: Input, run: number) => Work,
  atOnce?: (input: Input) => unknown,
): PaceCase {
  return {
    names: typeof names === 'string' ? [names] : names,
    check: (run) =>
      fc.property(inputs as fc.Arbitrary<unknown>, (input) => {
        let runs = 0;
        run(
          () => {
            runs += 1;
            return start(input as Input, runs);
          },
          atOnce && (() => atOnce(input as Input)),
        );
      }),
  };
}
