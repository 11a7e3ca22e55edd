import type { BuiltinDependencies } from '../../builtin-resource.ts';
import type { Strategy } from '../../strategy.ts';

/** Adds the check that users grant no more than they have to the strategy of a role or binding. */
export const withEscalationCheck =
  (kind: string, strategy: Strategy) =>
  ({ checkEscalation }: BuiltinDependencies): Strategy => ({
    ...strategy,
    authorize: (object, _old, context) => checkEscalation(kind, object, context),
  });
