import { flagName } from '../flags/flag.ts';
import type { FlagValues } from '../flags/table.ts';

type AutoscalerValues = Pick<
  FlagValues,
  | 'horizontalPodAutoscalerCpuInitializationPeriod'
  | 'horizontalPodAutoscalerDownscaleStabilization'
  | 'horizontalPodAutoscalerInitialReadinessDelay'
  | 'horizontalPodAutoscalerSyncPeriod'
  | 'horizontalPodAutoscalerTolerance'
>;

/** The shortest period between two decisions, in milliseconds. */
const SHORTEST_PERIOD = 100;

/** Validates the flags of autoscaling. */
export function validateAutoscaler({
  horizontalPodAutoscalerSyncPeriod: period,
  ...values
}: AutoscalerValues): string[] {
  const given: Omit<AutoscalerValues, 'horizontalPodAutoscalerSyncPeriod'> = {
    horizontalPodAutoscalerCpuInitializationPeriod: values.horizontalPodAutoscalerCpuInitializationPeriod,
    horizontalPodAutoscalerDownscaleStabilization: values.horizontalPodAutoscalerDownscaleStabilization,
    horizontalPodAutoscalerInitialReadinessDelay: values.horizontalPodAutoscalerInitialReadinessDelay,
    horizontalPodAutoscalerTolerance: values.horizontalPodAutoscalerTolerance,
  };
  return [
    ...(period < SHORTEST_PERIOD
      ? [`--horizontal-pod-autoscaler-sync-period must be at least ${SHORTEST_PERIOD}ms`]
      : []),
    ...Object.entries(given)
      .filter(([, value]) => value < 0)
      .map(([option]) => `--${flagName(option)} must not be negative`),
  ];
}
