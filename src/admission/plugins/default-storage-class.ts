import { DEFAULT_STORAGE_CLASS_ANNOTATIONS, STORAGE_CLASS_ANNOTATION } from '../../model/annotations.ts';
import { newestDefaultClass } from '../../model/default-class.ts';
import type { PersistentVolumeClaimSpec } from '../../model/generated/core-v1.ts';
import { getMember } from '../../model/object.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

/** Sets the default class of a claim without class; an empty name explicitly means no class. */
export function defaultStorageClass({
  storageClasses,
}: Pick<AdmissionListers, 'storageClasses'>): BuiltinPlugin {
  return {
    handles: (operation, group, resource, subresource) =>
      operation === 'CREATE' && group === '' && resource === 'persistentvolumeclaims' && subresource === '',
    admit({ object }) {
      object!.spec ??= {};
      const spec = object!.spec as PersistentVolumeClaimSpec;
      if (
        spec.storageClassName !== undefined ||
        getMember(object!.metadata?.annotations ?? {}, STORAGE_CLASS_ANNOTATION) !== undefined
      )
        return;
      return mapMaybePromise(storageClasses(), (classes) => {
        const found = newestDefaultClass(classes, ...DEFAULT_STORAGE_CLASS_ANNOTATIONS);
        if (found !== undefined) spec.storageClassName = found.metadata!.name!;
      });
    },
  };
}
