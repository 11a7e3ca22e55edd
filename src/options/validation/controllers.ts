import { CONTROLLER_MANAGER } from '../flags/controller-manager.ts';
import { flagName } from '../flags/flag.ts';
import type { FlagValues } from '../flags/table.ts';

/** Most objects of a kind that are reconciled at the same time. */
const MOST_WORKERS = 1000;

const isWorkers = (option: string): boolean =>
  Object.hasOwn(CONTROLLER_MANAGER, option) && option.endsWith('Syncs');

/** The shortest period, in milliseconds. */
const SHORTEST_PERIOD = 100;

/** Validates the settings of controllers. */
export function validateControllers(values: FlagValues): string[] {
  const problems = Object.entries(values).flatMap(([option, value]) =>
    !isWorkers(option) || (Number(value) >= 1 && Number(value) <= MOST_WORKERS)
      ? []
      : [`--${flagName(option)} ${value} must be between 1 and ${MOST_WORKERS}, inclusive`],
  );
  if (values.pvclaimbinderSyncPeriod < SHORTEST_PERIOD)
    problems.push(`--pvclaimbinder-sync-period must be at least ${SHORTEST_PERIOD}ms`);
  return problems;
}
