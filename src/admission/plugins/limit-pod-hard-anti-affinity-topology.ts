import type { Pod } from '../../model/generated/core-v1.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods } from './pod.ts';

const ALLOWED = 'kubernetes.io/hostname';

/** Restricts required pod anti-affinity to the topology key `kubernetes.io/hostname`. */
export const limitPodHardAntiAffinityTopology: BuiltinPlugin = {
  handles: onPods('CREATE', 'UPDATE'),
  validate(request) {
    const terms =
      (request.object as Pod).spec?.affinity?.podAntiAffinity
        ?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const wide = terms.find(({ topologyKey }) => topologyKey !== ALLOWED);
    if (wide !== undefined)
      throw admissionForbidden(
        request,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey ?? ''} but only key ${ALLOWED} is allowed`,
      );
  },
};
