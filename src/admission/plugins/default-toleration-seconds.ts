import type { AdmissionPlugin } from '../../request/admission.ts';
import { onPods, podSpec, type Toleration } from './pod.ts';

const NO_EXECUTE = 'NoExecute';

export interface TolerationSeconds {
  /** `--default-not-ready-toleration-seconds`. */
  readonly notReady: number;
  /** `--default-unreachable-toleration-seconds`. */
  readonly unreachable: number;
}

/** Pods stay on a node that went away for some minutes, unless they say otherwise. */
export function defaultTolerationSeconds(
  { notReady, unreachable }: TolerationSeconds = { notReady: 300, unreachable: 300 },
): AdmissionPlugin {
  const defaults: readonly Toleration[] = [
    {
      key: 'node.kubernetes.io/not-ready',
      operator: 'Exists',
      effect: NO_EXECUTE,
      tolerationSeconds: notReady,
    },
    {
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: NO_EXECUTE,
      tolerationSeconds: unreachable,
    },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: onPods('CREATE', 'UPDATE'),
    admit({ object }) {
      const spec = podSpec(object!);
      const given = spec.tolerations ?? [];
      const missing = defaults.filter(
        ({ key: wanted }) =>
          !given.some(
            ({ key = '', effect = '' }) =>
              (key === wanted || key === '') && (effect === NO_EXECUTE || effect === ''),
          ),
      );
      if (missing.length > 0)
        spec.tolerations = [...given, ...missing.map((toleration) => ({ ...toleration }))];
    },
  };
}
