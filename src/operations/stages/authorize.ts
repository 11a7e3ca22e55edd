import type { MaybePromise } from '../../steps/steps.ts';
import type { Write } from './write.ts';

/**
 * Loads the modules that the rules of the kind need, then applies its escalation checks, which may wait for
 * something outside the process.
 * Reads: object, old, view.
 * @throws ApiError
 */
export function authorize(write: Write): MaybePromise<void> {
  const { strategy } = write.context.resource;
  const loaded = strategy.load?.();
  return loaded === undefined ? check(write) : loaded.then(() => check(write));
}

function check({ context, object, old, view, leaveTurn }: Write): MaybePromise<void> {
  const { strategy } = context.resource;
  if (strategy.authorize === undefined) return;
  leaveTurn?.();
  return strategy.authorize(object, old, view);
}
