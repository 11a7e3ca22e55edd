import type { Pod } from '../../model/generated/core-v1.ts';
import type { AdmissionPlugin } from '../../request/admission.ts';
import { onPods, podSpec } from './pod.ts';

/** Resources of Kubernetes' own, whose nodes are not set apart. */
const isExtended = (name: string): boolean =>
  name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');

/** Pods that ask for a special resource tolerate the taint by which its nodes are kept for them. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  handles: onPods('CREATE', 'UPDATE'),
  admit({ object }) {
    const { spec } = object as Pod;
    const names = new Set<string>();
    for (const { resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])])
      for (const name of Object.keys(resources?.requests ?? {})) if (isExtended(name)) names.add(name);
    if (names.size === 0) return;
    const own = podSpec(object!);
    const given = own.tolerations ?? [];
    const missing = [...names]
      .sort()
      .filter(
        (key) =>
          !given.some((one) => one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule'),
      );
    if (missing.length > 0)
      own.tolerations = [
        ...given,
        ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
      ];
  },
};
