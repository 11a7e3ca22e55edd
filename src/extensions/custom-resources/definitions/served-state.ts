import { isConditionTrue } from '../../../model/conditions.ts';
import type { CustomResourceDefinition } from '../../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';

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
export function servedState(definition: CustomResourceDefinition, has: RuleContext['has']): ServedState {
  const { conditions, acceptedNames } = definition.status ?? {};
  const isEstablished = isConditionTrue(conditions, 'Established');
  return {
    served: (isEstablished || isConditionTrue(conditions, 'NamesAccepted')) && !!acceptedNames?.plural,
    terminating: isTerminating(definition, has),
  };
}

/** The releases in which a definition is terminating from the time of its deletion to its end. */
const TERMINATES_TO_THE_END: Life = { since: '1.37' };

/** Whether objects of a definition can no longer be created, because it is being deleted. */
export const isTerminating = (
  { metadata, status }: CustomResourceDefinition,
  has: RuleContext['has'],
): boolean =>
  (metadata?.deletionTimestamp !== undefined && has(TERMINATES_TO_THE_END)) ||
  isConditionTrue(status?.conditions, 'Terminating');
