import type { CustomResourceDefinitionNames } from '../../../model/generated/apiextensions-v1.ts';
import { isConditionTrue } from '../../../registry/builtin/apiextensions/conditions.ts';
import type { Definition, DefinitionVersion } from './definition.ts';

/** What the server serves for a definition. */
export interface ServedState {
  /** Whether requests are served. Discovery lists the resource if this is true as well. */
  readonly served: boolean;
  /** The names under which it is served. */
  readonly acceptedNames: CustomResourceDefinitionNames;
  /** The served versions in the order of the definition; empty unless `served`. */
  readonly versions: readonly DefinitionVersion[];
  /** The version in which objects are stored; empty if the definition has none. */
  readonly storageVersion: string;
  readonly established: boolean;
  /** Objects can't be created, and discovery omits the verbs create, patch and update. */
  readonly terminating: boolean;
}

/**
 * Returns what must be served for a definition. Requests are served as soon as its names are accepted, and
 * from then on while it is established, also when later names conflict.
 */
export function servedState({ status, versions }: Pick<Definition, 'status' | 'versions'>): ServedState {
  const { conditions, acceptedNames = {} } = status;
  const established = isConditionTrue(conditions, 'Established');
  const served = (established || isConditionTrue(conditions, 'NamesAccepted')) && !!acceptedNames.plural;
  return {
    served,
    acceptedNames,
    versions: served ? versions.filter((version) => version.served) : [],
    storageVersion: versions.find(({ storage }) => storage)?.name ?? '',
    established,
    terminating: isConditionTrue(conditions, 'Terminating'),
  };
}
