import fc from 'fast-check';

/** The steps of a function under test, or the parts that it makes. */
type Work = Iterator<unknown, unknown, void>;

/** How a step function is compared with itself at another pace. */
export interface PaceCase {
  /** Its name, and the functions that it covers whose calls are not seen: `path/in/src.ts name`. */
  readonly names: readonly string[];
  /** Whether its pauses depend on the step sizes; others end each part of their work with one, or only wait. */
  readonly pausesBySize: boolean;
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
    pausesBySize: true,
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

/** A case of functions whose pauses do not depend on the step sizes. */
export const steadyCase = <Input>(...parameters: Parameters<typeof paceCase<Input>>): PaceCase => ({
  ...paceCase(...parameters),
  pausesBySize: false,
});
