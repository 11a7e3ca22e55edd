import type { Condition } from '../../model/conditions.ts';
import type { StorageVersionMigration } from '../../model/generated/storagemigration-v1.ts';
import { formatTime, timeToMilliseconds } from '../../model/time.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { MIGRATIONS } from '../../reconcile/resources.ts';
import { updateStatus } from '../../reconcile/status-update.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { MigratedDefinition } from './definition.ts';
import { findMigratable, type Migratable } from './migratable.ts';
import {
  ended,
  failed,
  is,
  isAbove,
  nextStep,
  type Progress,
  resourceKeyOf,
  runningCondition,
  SUCCEEDED,
  withConditions,
} from './migration.ts';

/** Milliseconds after the creation of a migration in which its resource may still become known. */
const DISCOVERY_MILLISECONDS = 60_000;
/** An invalid name of a namespace: a list in it has no objects, only the current resource version. */
const NO_NAMESPACE = '@fake:svm_ns!';
/** Resources whose objects are migrated at the same time. */
const WORKERS = 5;

/**
 * Migrates the objects of the resources that StorageVersionMigrations name: each object is written again as it is, and
 * so stored in the present version. One migration of a resource runs at a time, the oldest first.
 */
export function migrationController(parts: NamedContext): Controller {
  const { name, clusterClock } = parts;
  const client = parts.client(parts.user);
  const migrations = parts.objects(MIGRATIONS);
  const definition = new MigratedDefinition(client, clusterClock.now);

  const write = async (
    migration: StorageVersionMigration,
    conditions: readonly Condition[],
    status: StorageVersionMigration['status'] = {},
  ): Promise<void> => {
    await updateStatus(client.writer(), MIGRATIONS, migration, (current) => {
      const changed = withConditions(current, conditions, formatTime(clusterClock.now()));
      return { ...changed, status: { ...changed.status, ...status } };
    });
  };

  /** Notes from which resource version on objects are in the present version. */
  const begin = async (
    migration: StorageVersionMigration,
    { resource, isNamespaced, problem }: Migratable,
  ): Promise<void> => {
    if (problem !== undefined) await write(migration, [failed(problem)]);
    else {
      const namespace = isNamespaced ? NO_NAMESPACE : '';
      for await (const { resourceVersion } of client.pages(resource, { namespace, metadataOnly: true })) {
        await write(migration, [], { resourceVersion });
        break;
      }
    }
  };

  const run = async (migration: StorageVersionMigration, migratable: Migratable): Promise<void> => {
    const last = migration.status!.resourceVersion!;
    const { progress, error } = await migrate(client, migratable, last);
    if (error === undefined) await write(migration, [runningCondition(progress), SUCCEEDED]);
    else if (passes(error)) {
      await write(migration, [runningCondition(progress, error.message)]);
      throw error;
    } else {
      const message = `${progress.left}/${progress.total} not yet migrated. migration encountered unhandled error: ${error.message}`;
      await write(migration, [runningCondition(progress), failed(message)]);
    }
  };

  const reconcile = async (key: string): Promise<WorkResult> => {
    const all = Array.from(migrations.entries(), ([, { object }]) => object as StorageVersionMigration);
    const step = nextStep(all.filter((one) => resourceKeyOf(one) === key));
    for (const done of step.ended) {
      await definition.end(key, is(done, 'Succeeded'));
      await write(done, [ended(done.metadata?.generation)]);
    }
    if (step.next !== undefined) {
      await definition.begin(key, step.next.metadata?.name ?? '');
      await write(step.next, [runningCondition()]);
    }
    const { running } = step;
    if (running === undefined) return 'done';
    const { group = '', resource = '' } = running.spec?.resource ?? {};
    const migratable = await findMigratable(client, group, resource);
    if (migratable === undefined) {
      const created = timeToMilliseconds(running.metadata?.creationTimestamp ?? '');
      if (clusterClock.now() < created + DISCOVERY_MILLISECONDS) return 'requeue';
      await write(running, [failed('resource does not exist in discovery')]);
    } else if ((running.status?.resourceVersion ?? '') === '') await begin(running, migratable);
    else await run(running, migratable);
    return 'done';
  };

  const queue: WorkQueue = controllerQueue(parts, name, reconcile, WORKERS);
  migrations.onChange((_key, current, before) => {
    for (const one of [current, before])
      if (one !== undefined) queue.add(resourceKeyOf(one.object as StorageVersionMigration));
  });
  return { name, sources: [migrations], queue };
}

interface Outcome {
  readonly progress: Progress;
  /** Why the migration stopped; undefined if all objects are migrated. */
  readonly error?: ApiError;
}

/** Writes all objects again that are not newer than a resource version. */
async function migrate(client: Client, { resource }: Migratable, last: string): Promise<Outcome> {
  const writer = client.writer();
  let total = 0;
  const candidates: { namespace: string; name: string; resourceVersion: string }[] = [];
  for await (const { items } of client.pages(resource, { metadataOnly: true })) {
    total += items.length;
    for (const { metadata: { namespace = '', name = '', resourceVersion = '' } = {} } of items)
      if (!isAbove(resourceVersion, last)) candidates.push({ namespace, name, resourceVersion });
  }
  let left = candidates.length;
  for (const { namespace, name, resourceVersion } of candidates) {
    try {
      await writer.patch(resource, namespace, name, { metadata: { resourceVersion } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Another write has migrated it, or it is gone.
      if (error.code !== 409 && error.code !== 404) return { progress: { left, total }, error };
    }
    left -= 1;
  }
  return { progress: { left, total } };
}

/** Whether the same request may succeed later. */
const passes = ({ code }: ApiError): boolean => code === 429 || code >= 500;
