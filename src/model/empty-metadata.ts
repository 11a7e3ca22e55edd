import type { TypeModel } from './type-model.ts';

/**
 * What a release writes as the metadata of an object without any: until 1.33 a creation time that is null.
 * @returns a new object
 */
export const emptyMetadata = (types: TypeModel): { creationTimestamp?: null } =>
  types.type('meta_v1.ObjectMeta').byName.get('creationTimestamp')!.unsetJson === undefined
    ? {}
    : { creationTimestamp: null };
