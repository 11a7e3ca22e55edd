import { runNow } from '../../src/steps/run.ts';

/** Makes a function that runs the steps of another one to their end. */
export const atOnce =
  <Arguments extends unknown[], Result>(
    start: (...args: Arguments) => Generator<unknown, Result, void>,
  ): ((...args: Arguments) => Result) =>
  (...args) =>
    runNow(start(...args));
