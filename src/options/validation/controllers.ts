import { CONTROLLER_MANAGER } from '../flags/controller-manager.ts';
import { flagName } from '../flags/flag.ts';
import type { FlagValues, OptionName } from '../flags/table.ts';

/** Most objects of a kind that are reconciled at the same time. */
const MOST_WORKERS = 1000;

/** Validates the settings of controllers. */
export function validateControllers(values: FlagValues): string[] {
  const workers = (Object.keys(CONTROLLER_MANAGER) as OptionName[]).filter((option) =>
    option.endsWith('Syncs'),
  );
  return workers.flatMap((option) => {
    const value = values[option] as number;
    return value >= 1 && value <= MOST_WORKERS
      ? []
      : [`--${flagName(option)} ${value} must be between 1 and ${MOST_WORKERS}, inclusive`];
  });
}
