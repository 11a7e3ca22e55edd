import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};
const CLASS_FINALIZER = 'kubernetes.io/vac-protection';
/** The releases that protect classes of volume attributes. */
const PROTECTS_CLASSES: Life = { since: '1.33' };

/** The finalizer of a resource; undefined for one that is not protected. */
function finalizerOf(group: string, resource: string, { has, isOn }: RuleContext): string | undefined {
  if (group === '') return Object.hasOwn(FINALIZERS, resource) ? FINALIZERS[resource] : undefined;
  const isClass = group === 'storage.k8s.io' && resource === 'volumeattributesclasses';
  return isClass && has(PROTECTS_CLASSES) && isOn('VolumeAttributesClass') ? CLASS_FINALIZER : undefined;
}

/** Adds the protection finalizer to volumes, claims and classes of volume attributes. */
export const storageObjectInUseProtection = (context: RuleContext): BuiltinPlugin => ({
  handles: (operation, group, resource, subresource) =>
    operation === 'CREATE' && subresource === '' && finalizerOf(group, resource, context) !== undefined,
  admit({ object, resource }) {
    const finalizer = finalizerOf(resource.group, resource.resource, context)!;
    object!.metadata ??= {};
    const finalizers = object!.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object!.metadata.finalizers = [...finalizers, finalizer];
  },
});
