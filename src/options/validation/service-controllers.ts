import { flagName } from '../flags/flag.ts';
import { SERVICE_CONTROLLERS } from '../flags/service-controllers.ts';
import type { FlagValues } from '../flags/table.ts';

/** The highest values of flags whose lowest one is 1. */
const HIGHEST = {
  concurrentEndpointSyncs: 1000,
  concurrentServiceEndpointSyncs: 50,
  maxEndpointsPerSlice: 1000,
  mirroringConcurrentServiceEndpointSyncs: 50,
  mirroringMaxEndpointsPerSubset: 1000,
};

type ServiceValues = Pick<FlagValues, keyof typeof SERVICE_CONTROLLERS>;

/** Validates the flags of the controllers of endpoints. */
export const validateServiceControllers = (values: ServiceValues): string[] =>
  (Object.keys(SERVICE_CONTROLLERS) as (keyof ServiceValues)[]).flatMap((option) => {
    const value = values[option];
    const [lowest, highest] = Object.hasOwn(HIGHEST, option)
      ? [1, HIGHEST[option as keyof typeof HIGHEST]]
      : [0, Number.POSITIVE_INFINITY];
    if (value >= lowest && value <= highest) return [];
    return [
      lowest === 0
        ? `--${flagName(option)} must not be negative`
        : `--${flagName(option)} ${value} must be between 1 and ${highest}, inclusive`,
    ];
  });
