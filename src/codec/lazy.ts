import type { MessageType } from '../schema/message.ts';

type Code = (...values: never[]) => unknown;

/** A function that is compiled on first use: types are recursive, and most are never used. */
export interface Lazy<Run extends Code> {
  run: Run;
}

/** Compiles a function when it is called for the first time. */
export function lazily<Run extends Code>(compile: () => Run): Lazy<Run> {
  const lazy: Lazy<Run> = {
    run: ((...values) => {
      lazy.run = compile();
      return lazy.run(...values);
    }) as Run,
  };
  return lazy;
}

/** {@link lazily}, once for each type. */
export function lazilyOf<Run extends Code>(
  known: WeakMap<MessageType, Lazy<Run>>,
  type: MessageType,
  compile: (type: MessageType) => Run,
): Lazy<Run> {
  let lazy = known.get(type);
  if (lazy === undefined) {
    lazy = lazily(() => compile(type));
    known.set(type, lazy);
  }
  return lazy;
}
