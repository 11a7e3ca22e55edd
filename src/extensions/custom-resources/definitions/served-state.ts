import { isConditionTrue } from '../../../kinds/apiextensions/conditions.ts';
import type { CustomResourceDefinitionStatus } from '../../../model/generated/apiextensions-v1.ts';

/** What the server serves for a definition. */
export interface ServedState {
  /** Whether requests are served. Discovery lists the resource if this is true as well. */
  readonly served: boolean;
  /** Objects can't be created, and discovery omits the verbs create, patch and update. */
  readonly terminating: boolean;
}

/**
 * Returns what must be served for a definition. Requests are served as soon as its names are accepted, and
 * from then on while it is established, also when later names conflict.
 */
export function servedState({ conditions, acceptedNames }: CustomResourceDefinitionStatus): ServedState {
  const isEstablished = isConditionTrue(conditions, 'Established');
  return {
    served: (isEstablished || isConditionTrue(conditions, 'NamesAccepted')) && !!acceptedNames?.plural,
    terminating: isConditionTrue(conditions, 'Terminating'),
  };
}
