import { TypeModel } from './type-model.ts';
import { firstDeclarations } from './types/index.ts';

/**
 * The fields of every release, like the internal versions of kube-apiserver. Rules compare objects with them whatever
 * release the object was decoded in: a member that a release does not have is absent. Documents that are no objects
 * of a cluster (configuration files, reviews of webhooks, leases of servers) are decoded with them. What clients see
 * is encoded with the types of a {@link Scheme}.
 *
 * Types that came after release 1.32 are added with the first scheme that has them.
 */
export const internalTypes = new TypeModel(firstDeclarations);
