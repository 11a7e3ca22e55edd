import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../model/generated/core-v1.ts';
import { compareQuantities, parseQuantity } from '../../model/quantity.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const specOf = (claim: PersistentVolumeClaim): PersistentVolumeClaimSpec => claim.spec ?? {};
const sizeOf = (claim: PersistentVolumeClaim) =>
  parseQuantity(specOf(claim).resources?.requests?.storage ?? '0');

/** Allows growth of a claim only when its storage class allows volume expansion. */
export function persistentVolumeClaimResize({
  storageClass: find,
}: Pick<AdmissionListers, 'storageClass'>): BuiltinPlugin {
  return {
    handles: (operation, group, resource, subresource) =>
      operation === 'UPDATE' && group === '' && resource === 'persistentvolumeclaims' && subresource === '',
    validate(request) {
      const { object, oldObject } = request;
      if (compareQuantities(sizeOf(object!), sizeOf(oldObject!)) <= 0) return;
      const names = [specOf(object!).storageClassName, specOf(oldObject!).storageClassName];
      return mapMaybePromise(names.every(Boolean) ? find(names[0]!) : undefined, (found) => {
        if (found?.allowVolumeExpansion !== true) {
          throw admissionForbidden(
            request,
            'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
          );
        }
      });
    },
  };
}
