import type { KubernetesObject } from '../../../src/model/object.ts';
import { EventWriter } from '../../../src/reconcile/events/event-writer.ts';
import { ApiError } from '../../../src/status/index.ts';
import { silentLogger } from '../../replicas/helpers.ts';
import { FakeClock } from '../../storage/fake-clock.ts';
import { bothClocks } from '../../support/both-clocks.ts';

/** A server that stores events, and a writer of them. */
export class FakeEvents {
  readonly clock = new FakeClock();
  readonly stored = new Map<string, KubernetesObject & { count?: number }>();
  readonly requests: string[] = [];
  readonly warnings: string[] = [];
  /** Awaited by every request; throws what a failing server answers. */
  before: () => Promise<void> | undefined = () => undefined;
  readonly writer = new EventWriter({
    ...bothClocks(this.clock),
    logger: { ...silentLogger, warn: (text: string) => this.warnings.push(text) } as never,
  });
  readonly client = {
    create: async (_resource: unknown, object: KubernetesObject): Promise<KubernetesObject> => {
      this.requests.push('create');
      await this.before();
      this.stored.set(object.metadata!.name!, object);
      return object;
    },
    patch: async (
      _resource: unknown,
      _namespace: string,
      name: string,
      change: object,
    ): Promise<KubernetesObject> => {
      this.requests.push('patch');
      await this.before();
      const object = this.stored.get(name);
      if (object === undefined) throw new ApiError(404, 'NotFound', 'gone', undefined);
      this.stored.set(name, { ...object, ...change });
      return object;
    },
  };

  get only(): KubernetesObject {
    if (this.stored.size !== 1) throw new Error(`${this.stored.size} events`);
    return [...this.stored.values()][0]!;
  }
}
