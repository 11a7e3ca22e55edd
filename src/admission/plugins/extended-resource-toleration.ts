import type { Pod } from '../../model/generated/core-v1.ts';
import { isExtendedResource } from '../../model/resource-names.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods, podSpec } from './pod.ts';

/** Adds tolerations for the taints of nodes that are dedicated to requested extended resources. */
export const extendedResourceToleration: BuiltinPlugin = {
  handles: onPods('CREATE', 'UPDATE'),
  admit({ object }) {
    const { spec } = object as Pod;
    const names = new Set<string>();
    for (const { resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])])
      for (const name of Object.keys(resources?.requests ?? {}))
        if (isExtendedResource(name)) names.add(name);
    if (names.size === 0) return;
    const own = podSpec(object!);
    const existing = own.tolerations ?? [];
    const missing = [...names]
      .sort()
      .filter(
        (key) =>
          !existing.some(
            (one) => one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule',
          ),
      );
    if (missing.length > 0)
      own.tolerations = [
        ...existing,
        ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
      ];
  },
};
