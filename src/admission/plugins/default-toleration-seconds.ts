import type { Toleration } from '../../model/generated/core-v1.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import { onPods, podSpec } from './pod.ts';

const NO_EXECUTE = 'NoExecute';

export interface TolerationSeconds {
  /** `--default-not-ready-toleration-seconds`. */
  readonly notReady: number;
  /** `--default-unreachable-toleration-seconds`. */
  readonly unreachable: number;
}

/** Adds default tolerations for not-ready and unreachable nodes. */
export function defaultTolerationSeconds(
  { notReady, unreachable }: TolerationSeconds = { notReady: 300, unreachable: 300 },
): BuiltinPlugin {
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
    handles: onPods('CREATE', 'UPDATE'),
    admit({ object }) {
      const spec = podSpec(object!);
      const existing = spec.tolerations ?? [];
      const missing = defaults.filter(
        ({ key: taint }) =>
          !existing.some(
            ({ key = '', effect = '' }) =>
              (key === taint || key === '') && (effect === NO_EXECUTE || effect === ''),
          ),
      );
      if (missing.length > 0)
        spec.tolerations = [...existing, ...missing.map((toleration) => ({ ...toleration }))];
    },
  };
}
