import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { ProcessClock } from '../time/clock.ts';
import { ResourceReader } from './resource-reader.ts';
import type { Subscriber, Subscription } from './subscription.ts';

export interface ReadersOptions {
  readonly resources: Resources;
  readonly clock: Pick<ProcessClock, 'after'>;
  readonly logger: Pick<Logger, 'detail'>;
}

/** The readers of a cluster: one for each resource, which reads nothing while nobody subscribes. */
export class Readers {
  readonly resources: Resources;
  readonly clock: Pick<ProcessClock, 'after'>;
  readonly #options: ReadersOptions;
  readonly #readers = new WeakMap<ServedResource, ResourceReader>();

  constructor(options: ReadersOptions) {
    this.#options = options;
    this.resources = options.resources;
    this.clock = options.clock;
  }

  /** The reader of a resource of the server itself, whether it is served or not. */
  internal(group: string, resource: string): ResourceReader {
    return this.of(this.resources.internal(group, resource));
  }

  /**
   * Subscribes to a resource of the server itself. Resolves when the subscriber knows all objects.
   * @throws StorageUnavailableError
   */
  async follow(group: string, resource: string, subscriber: Subscriber): Promise<Subscription> {
    const served = this.resources.internal(group, resource);
    await served.stored.cache.ready();
    const subscription = this.of(served).subscribe(subscriber);
    await subscription.synced;
    return subscription;
  }

  /** The reader of a resource, which decodes objects into this version. */
  of(served: ServedResource): ResourceReader {
    let reader = this.#readers.get(served);
    if (reader === undefined) {
      reader = this.#create(served);
      this.#readers.set(served, reader);
    }
    return reader;
  }

  #create(served: ServedResource): ResourceReader {
    const { clock, logger } = this.#options;
    const { stored } = served;
    const { cache } = stored;
    return new ResourceReader({
      cache,
      decoder: {
        object: (record) => served.plainUnmanagedObject(record) as KubernetesObject,
        metadata: (record) => stored.metadata(record),
      },
      clock,
      onError: (error) =>
        logger.detail(2, 'failed to follow objects; retrying', {
          prefix: cache.prefix,
          err: (error as Error).message,
        }),
    });
  }
}
