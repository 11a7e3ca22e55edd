import type { BuiltinPlugin } from './builtin-plugin.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/** Adds the protection finalizer to volumes and claims. */
export const storageObjectInUseProtection: BuiltinPlugin = {
  handles: (operation, group, resource, subresource) =>
    operation === 'CREATE' && group === '' && subresource === '' && Object.hasOwn(FINALIZERS, resource),
  admit({ object, resource }) {
    const finalizer = FINALIZERS[resource.resource]!;
    object!.metadata ??= {};
    const finalizers = object!.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object!.metadata.finalizers = [...finalizers, finalizer];
  },
};
