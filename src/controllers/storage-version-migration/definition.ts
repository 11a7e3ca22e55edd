import { findCondition } from '../../model/conditions.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { Client, Resource } from '../../reconcile/client.ts';

const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
};
const FIELD_MANAGER = 'migration-runner-controller';
const MIGRATING = 'StorageMigrating';

/** What the condition of a definition says. */
interface Marked {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * Marks the definition of a migrated resource, if it is a custom one, and sets its stored versions at the end of a
 * successful migration during which it has not changed.
 */
export class MigratedDefinition {
  readonly #client: Client;
  readonly #now: () => number;

  /** @param now milliseconds of the cluster */
  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** A migration of its objects begins. @throws ApiError 409 when it has changed meanwhile */
  async begin(name: string, migration: string): Promise<void> {
    const definition = await this.#read(name);
    if (definition === undefined) return;
    await this.#apply(definition, {
      status: 'True',
      reason: 'MigrationRunning',
      message: `Migration ${migration} is running`,
    });
  }

  /** The migration has ended. @throws ApiError 409 when it has changed meanwhile */
  async end(name: string, succeeded: boolean): Promise<void> {
    const definition = await this.#read(name);
    if (definition === undefined) return;
    const known = findCondition(definition.status?.conditions, MIGRATING);
    // Unlike in kube-controller-manager, a failed migration keeps the stored versions: some objects may be left in them.
    if (!succeeded) {
      const failure = { reason: 'MigrationFailed', message: 'The migration has failed' };
      await this.#apply(definition, { status: 'False', ...failure });
      return;
    }
    const isUnchanged =
      known !== undefined && (known.observedGeneration ?? 0) === (definition.metadata?.generation ?? 0);
    const versions = isUnchanged
      ? 'and the stored versions have been updated'
      : 'but the stored versions have not been updated due to a generation mismatch';
    const message = `The migration has succeeded ${versions}`;
    await this.#apply(definition, { status: 'False', reason: 'MigrationSucceeded', message }, isUnchanged);
  }

  async #read(name: string): Promise<CustomResourceDefinition | undefined> {
    return (await this.#client.get(DEFINITIONS, '', name)) as CustomResourceDefinition | undefined;
  }

  async #apply(
    { metadata = {}, spec = {} }: CustomResourceDefinition,
    marked: Marked,
    isStoredInOneVersion = false,
  ): Promise<void> {
    const { name, resourceVersion, generation } = metadata;
    const storage = spec.versions?.find((version) => version.storage)?.name;
    const condition = {
      type: MIGRATING,
      ...marked,
      lastTransitionTime: formatTime(this.#now()),
      observedGeneration: generation,
    };
    const status = {
      conditions: [condition],
      ...(isStoredInOneVersion && storage !== undefined ? { storedVersions: [storage] } : {}),
    };
    const configuration = { metadata: { name, resourceVersion }, status };
    await this.#client.apply(DEFINITIONS, configuration as never, FIELD_MANAGER, { subresource: 'status' });
  }
}
