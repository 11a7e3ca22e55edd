/** Resolves in the next iteration of the event loop: other events are handled first. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs work that belongs to no request, and yields to the event loop between its steps. */
export async function inBackground<Result>(steps: Generator<undefined, Result, void>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}
