import type { Condition } from '../../model/generated/meta-v1.ts';
import type { StorageVersionMigration } from '../../model/generated/storagemigration-v1.ts';

/** The resource of a migration as `resource.group`, the key of the work queue. */
export const resourceKeyOf = ({ spec = {} }: StorageVersionMigration): string =>
  `${spec.resource?.resource ?? ''}.${spec.resource?.group ?? ''}`;

type State = 'Running' | 'Succeeded' | 'Failed';

export const is = ({ status = {} }: StorageVersionMigration, state: State): boolean =>
  status.conditions?.find(({ type }) => type === state)?.status === 'True';

export const isDone = (migration: StorageVersionMigration): boolean =>
  is(migration, 'Succeeded') || is(migration, 'Failed');

/** What is to be done next for the migrations of one resource. */
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

/** A condition without its times. */
export interface StateCondition {
  readonly type: State;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
}

/**
 * Returns a migration with conditions, each replaced in its place or appended. The time of the last transition changes
 * with the status only.
 * @param now RFC 3339 in seconds
 */
export function withConditions(
  migration: StorageVersionMigration,
  conditions: readonly StateCondition[],
  now: string,
): StorageVersionMigration {
  const all: Condition[] = [...(migration.status?.conditions ?? [])];
  for (const { observedGeneration, ...condition } of conditions) {
    const index = all.findIndex(({ type }) => type === condition.type);
    const known = all[index];
    const lastTransitionTime = (known?.status === condition.status && known.lastTransitionTime) || now;
    const stored = {
      ...known,
      ...condition,
      lastTransitionTime,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
    if (index < 0) all.push(stored);
    else all[index] = stored;
  }
  return { ...migration, status: { ...migration.status, conditions: all } };
}

/** How many objects are to be migrated, and how many there are. */
export interface Progress {
  readonly left: number;
  readonly total: number;
}

/** The condition of a running migration, as kube-controller-manager words it. @param error that passes */
export function runningCondition(progress?: Progress, error?: string): StateCondition {
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

export const SUCCEEDED: StateCondition = {
  type: 'Succeeded',
  status: 'True',
  reason: 'StorageVersionMigrationSucceeded',
  message: 'Migration completed',
};

export const failed = (message: string): StateCondition => ({
  type: 'Failed',
  status: 'True',
  reason: 'StorageVersionMigrationFailed',
  message,
});

/** The condition of a migration that has ended. @param generation of the migration */
export const ended = (generation: number | undefined): StateCondition => ({
  type: 'Running',
  status: 'False',
  reason: 'MigrationCompleted',
  message: 'Migration completed',
  observedGeneration: generation,
});

/** Whether a resource version is above another. Both are decimal numbers of any length, without leading zeros. */
export const isAbove = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
