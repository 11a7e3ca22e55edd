import type { CacheEvent, CacheRecord, EventType } from '../../cache/record.ts';
import type { CacheWatch } from '../../cache/resource-cache.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import type { Logger } from '../../observability/log.ts';
import { CorruptObjectError } from '../../resources/corrupt-object.ts';
import type { ResourceDefinition } from '../../resources/resource-definition.ts';
import type { ResourceRow } from '../../resources/resource-set.ts';
import type { Resources } from '../../resources/resources.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import type { Steps } from '../../steps/steps.ts';
import { fromKey, prefixEnd, StoreReplacedError } from '../../storage/storage.ts';
import { processClock } from '../../time/clock.ts';
import { DefinedKind, type DefinitionSource, type KindOptions } from './defined-kind.ts';
import { servedState } from './definitions/served-state.ts';
import { hashOf } from './schema-hash.ts';

export interface CustomResourcesOptions extends KindOptions {
  readonly resources: Resources;
  readonly logger: Logger;
}

/** Delay before definitions that could not be read are read again. */
const RETRY_MILLISECONDS = 1000;

/** What is served for a definition. */
interface Served {
  /** What the resources derive from: spec, accepted names and whether objects can be created. */
  readonly fingerprint: string;
  /** The part of it whose change replaces the storage of the objects: their watches end. */
  readonly storageFingerprint: string;
  readonly watchableFrom: number;
  readonly rows: readonly ResourceRow[];
  readonly resources: readonly ResourceDefinition[];
  readonly kind: DefinedKind;
}

/**
 * Serves the resources of all CustomResourceDefinitions. It follows the cache of definitions, so that all
 * servers of a cluster agree, whoever handled a write.
 */
export class CustomResources {
  readonly #resources: Resources;
  readonly #logger: Logger;
  readonly #kindOptions: KindOptions;
  readonly #definitions: ServedResource;
  readonly #served = new Map<string, Served>();
  #watch: CacheWatch | undefined;
  #generation = 0;
  #stopped = false;

  constructor({ resources, logger, ...kindOptions }: CustomResourcesOptions) {
    this.#kindOptions = kindOptions;
    this.#resources = resources;
    this.#logger = logger;
    this.#definitions = resources.internal('apiextensions.k8s.io', 'customresourcedefinitions');
  }

  /** Serves all stored definitions, then follows their changes. @throws StorageUnavailableError */
  async start(): Promise<void> {
    const { cache, prefix } = this.#definitions.stored;
    await cache.ready();
    if (this.#stopped) return;
    const snapshot = cache.freeze();
    const known = new Set<string>();
    snapshot.scan(prefix, prefixEnd(prefix), (record) => {
      known.add(record.name);
      this.#apply(record, 0);
      return undefined;
    });
    for (const name of [...this.#served.keys()]) if (!known.has(name)) this.#remove(name);
    this.#watch = cache.watch({ prefix, oneName: false }, snapshot.revision, {
      matches: () => true,
      deliver: (type, record, revision, event) => this.#deliver(type, record, revision, event),
      drained: () => Promise.resolve(),
      end: (error) => this.#restart(error),
    });
  }

  /** Resolves when the definitions that the store had at the call are served. */
  async caughtUp(): Promise<void> {
    await this.#watch?.caughtUp();
  }

  stop(): void {
    this.#stopped = true;
    this.#watch?.close();
    for (const { kind } of this.#served.values()) kind.close();
  }

  /** The store's watch ended: the definitions are read again. */
  #restart(error: unknown): void {
    // After a replaced store, all parts are started again.
    if (this.#stopped || error instanceof StoreReplacedError) return;
    if (error !== undefined)
      this.#logger.warn('watch of CustomResourceDefinitions ended; reading them again', {
        err: String(error),
      });
    this.start().catch((failure: unknown) => {
      processClock.after(RETRY_MILLISECONDS, () => this.#restart(failure));
    });
  }

  #deliver(type: EventType, record: CacheRecord, revision: number, _event: CacheEvent | undefined): boolean {
    if (type === 'DELETED') this.#remove(record.name);
    else this.#apply(record, revision);
    return true;
  }

  /** @param revision of the change; 0 for a definition that was stored before */
  #apply(record: CacheRecord, revision: number): void {
    let definition: CustomResourceDefinition;
    try {
      definition = this.#read(record);
    } catch (error) {
      const corrupt =
        error instanceof CorruptObjectError ? error : new CorruptObjectError(fromKey(record.key), error);
      this.#logger.error('failed to read CustomResourceDefinition; requests for its objects fail', {
        name: record.name,
        err: corrupt.message,
      });
      this.#remove(record.name);
      this.#resources.unreadable.set(record.name, corrupt);
      return;
    }
    this.#resources.unreadable.delete(record.name);
    const before = this.#served.get(record.name);
    const { spec = {}, status = {} } = definition;
    const { served, terminating } = servedState(definition, this.#kindOptions.has);
    if (!served) {
      this.#remove(record.name);
      return;
    }
    const storageFingerprint = hashOf([spec, status.acceptedNames]);
    const fingerprint = `${storageFingerprint} ${terminating}`;
    if (before?.fingerprint === fingerprint) return;
    const replaced = before !== undefined && before.storageFingerprint !== storageFingerprint;
    const watchableFrom = before === undefined || replaced ? revision : before.watchableFrom;
    const kind = new DefinedKind(definition, this.#sourceOf(record), this.#kindOptions);
    this.#generation += 1;
    const added = kind.resources(definition, ` ${this.#generation}`, watchableFrom);
    const rows = added.map(({ row }) => row);
    this.#resources.change({ remove: before?.rows ?? [], add: added });
    this.#resources.former.keep(record.name, before?.resources ?? [], added);
    this.#served.set(record.name, {
      fingerprint,
      storageFingerprint,
      watchableFrom,
      rows,
      resources: added,
      kind,
    });
    before?.kind.retire();
    if (replaced) this.#resources.endWatches(rows);
  }

  #remove(name: string): void {
    this.#resources.former.set(name, []);
    this.#resources.unreadable.delete(name);
    const before = this.#served.get(name);
    if (before === undefined) return;
    this.#served.delete(name);
    this.#resources.change({ remove: before.rows });
    before.kind.close();
  }

  #sourceOf(record: CacheRecord): DefinitionSource {
    const { stored } = this.#definitions;
    return {
      isLarge: stored.isDecodedInSteps(record),
      read: () => this.#read(record),
      reading: () => stored.decoding(record) as Steps<CustomResourceDefinition>,
    };
  }

  #read(record: CacheRecord): CustomResourceDefinition {
    return this.#definitions.stored.decodeShared(record) as CustomResourceDefinition;
  }
}
