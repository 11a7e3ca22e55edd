import { type Condition, isConditionTrue, setCondition } from '../../model/conditions.ts';
import type { StorageVersionMigration } from '../../model/generated/storagemigration-v1.ts';

/** The resource of a migration as `resource.group`, the key of the work queue. */
export const resourceKeyOf = ({ spec = {} }: StorageVersionMigration): string =>
  `${spec.resource?.resource ?? ''}.${spec.resource?.group ?? ''}`;

type State = 'Running' | 'Succeeded' | 'Failed';

export const is = ({ status }: StorageVersionMigration, state: State): boolean =>
  isConditionTrue(status?.conditions, state);

export const isDone = (migration: StorageVersionMigration): boolean =>
  is(migration, 'Succeeded') || is(migration, 'Failed');

/** The next actions for the migrations of one resource. */
export interface NextStep {
  /** Those that are done but still marked as running. */
  readonly ended: readonly StorageVersionMigration[];
  /** The one that runs; undefined if none does. */
  readonly running: StorageVersionMigration | undefined;
  /** The one that is to run next: the oldest of those that wait, unless one runs. */
  readonly next: StorageVersionMigration | undefined;
}

/** Decides by the migrations of one resource, of which one runs at a time. */
export function nextStep(migrations: readonly StorageVersionMigration[]): NextStep {
  const running = migrations.find((one) => is(one, 'Running') && !isDone(one));
  const waiting = migrations.filter((one) => !is(one, 'Running') && !isDone(one));
  return {
    ended: migrations.filter((one) => is(one, 'Running') && isDone(one)),
    running,
    next: running === undefined ? waiting.toSorted(byAge)[0] : undefined,
  };
}

const ageOf = ({ metadata = {} }: StorageVersionMigration): string =>
  `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;

const byAge = (one: StorageVersionMigration, other: StorageVersionMigration): number =>
  ageOf(one) < ageOf(other) ? -1 : 1;

/**
 * Returns a migration with conditions.
 * @param now RFC 3339 in seconds
 */
export const withConditions = (
  migration: StorageVersionMigration,
  conditions: readonly Condition[],
  now: string,
): StorageVersionMigration => ({
  ...migration,
  status: {
    ...migration.status,
    conditions: conditions.reduce(
      (all, condition) => setCondition(all, condition, now),
      migration.status?.conditions ?? [],
    ),
  },
});

/** How many objects are to be migrated, and how many there are. */
export interface Progress {
  readonly left: number;
  readonly total: number;
}

/** The condition of a running migration, as kube-controller-manager words it. @param error that passes */
export function runningCondition(progress?: Progress, error?: string): Condition {
  const { left = 0, total = 0 } = progress ?? {};
  const objects =
    total === 0
      ? ''
      : left > 0
        ? `, ${left}/${total} objects not yet migrated`
        : `, ${total} objects verified migrated`;
  return {
    type: 'Running',
    status: 'True',
    reason: 'MigrationRunning',
    message: `The migration is running${objects}${error === undefined ? '' : `; transient error: ${error}`}`,
  };
}

export const SUCCEEDED: Condition = {
  type: 'Succeeded',
  status: 'True',
  reason: 'StorageVersionMigrationSucceeded',
  message: 'Migration completed',
};

export const failed = (message: string): Condition => ({
  type: 'Failed',
  status: 'True',
  reason: 'StorageVersionMigrationFailed',
  message,
});

/** The condition of a migration that has ended. @param generation of the migration */
export const ended = (generation = 0): Condition => ({
  type: 'Running',
  status: 'False',
  reason: 'MigrationCompleted',
  message: 'Migration completed',
  observedGeneration: generation,
});

/** Whether a resource version is above another. Both are decimal numbers of any length, without leading zeros. */
export const isAbove = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
