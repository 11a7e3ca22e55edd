import { flagName } from '../flags/flag.ts';
import { SERVICE_CONTROLLERS } from '../flags/service-controllers.ts';
import type { FlagValues } from '../flags/table.ts';

/** The highest values of flags whose lowest one is 1. */
const HIGHEST: ReadonlyMap<string, number> = new Map([
  ['concurrentEndpointSyncs', 1000],
  ['concurrentServiceEndpointSyncs', 50],
  ['maxEndpointsPerSlice', 1000],
  ['mirroringConcurrentServiceEndpointSyncs', 50],
  ['mirroringMaxEndpointsPerSubset', 1000],
]);

/** Validates the flags of the controllers of endpoints. */
export const validateServiceControllers = (values: FlagValues): string[] =>
  Object.entries(values).flatMap(([option, value]) => {
    if (!Object.hasOwn(SERVICE_CONTROLLERS, option)) return [];
    const highest = HIGHEST.get(option);
    if (highest === undefined) return Number(value) < 0 ? [`--${flagName(option)} must not be negative`] : [];
    return Number(value) >= 1 && Number(value) <= highest
      ? []
      : [`--${flagName(option)} ${value} must be between 1 and ${highest}, inclusive`];
  });
