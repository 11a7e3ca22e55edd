/** Resolves in the next iteration of the event loop: other events are handled first. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
