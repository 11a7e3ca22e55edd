import type { KubernetesObject } from '../../model/object.ts';
import type { BuiltinDependencies } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

/** Adds the check that users grant no more than they have to the strategy of a role or binding. */
export const withEscalationCheck =
  (kind: string, strategy: Strategy) =>
  ({ checkEscalation }: BuiltinDependencies): Strategy => ({
    ...strategy,
    authorize: async (object, old, context) => {
      if (!changesGarbageCollectionOnly(object, old)) await checkEscalation(kind, object, old, context);
    },
  });

/** Whether an update changes nothing but what the garbage collector needs to delete the object. */
function changesGarbageCollectionOnly(object: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return old !== undefined && semanticEqual(withoutCollection(object), withoutCollection(old));
}

function withoutCollection({ metadata = {}, ...rest }: KubernetesObject): unknown {
  const { ownerReferences, finalizers, managedFields, resourceVersion, ...other } = metadata;
  return { ...rest, metadata: other };
}
