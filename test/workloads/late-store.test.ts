import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alwaysAllow } from '../../src/authorization/authorizers.ts';
import { Readers } from '../../src/reader/readers.ts';
import { Sources } from '../../src/reader/sources.ts';
import { Client, type ControllerResponse } from '../../src/reconcile/client.ts';
import type { Controller, NamedContext } from '../../src/reconcile/controller.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { OutcomeUnknownError } from '../../src/storage/storage.ts';
import { processClock } from '../../src/time/clock.ts';
import { replicaSetController } from '../../src/workloads/replica-sets/controller.ts';
import { REPLICA_SET } from '../../src/workloads/replica-sets/kinds.ts';
import { user } from '../authentication/fixtures.ts';
import { turnsUntil } from '../cache/support.ts';
import { settle } from '../reconcile/manual-clock.ts';
import { silentLogger } from '../replicas/helpers.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const SETS = '/apis/apps/v1/namespaces/ns/replicasets';
const USER = user('system:kube-controller-manager');

describe('the controller of ReplicaSets, with a store that delivers events late', () => {
  let storage: LateStorage;
  let server: SmallServer;
  let controller: Controller;
  let reconciles: number;

  beforeEach(async () => {
    storage = new LateStorage(createMemoryStorage());
    server = smallServer({ storage, nameSuffix: () => String(randomInt(10_000, 99_999)) });
    reconciles = 0;
    const readers = new Readers({ resources: server.resources, clock: processClock, logger: silentLogger });
    const sources = new Sources(readers, alwaysAllow);
    const client = new Client(async ({ method, target, headers, body }) => {
      const answer = await server.send(method, target, body && JSON.parse(body), headers['content-type']);
      return { status: answer.status, body: bodyOf(answer.bytes) } satisfies ControllerResponse;
    }, 'test/1');
    const parts: NamedContext = {
      name: 'replicaset-controller',
      user: USER,
      started: 0,
      client: () => client,
      objects: (resource, selection = {}) =>
        sources.objects(USER, resource, selection, (error) => {
          throw error;
        }),
      events: () => ({ record: () => undefined }),
      seriesEvents: () => ({ record: () => undefined, stop: () => undefined }),
      ...bothClocks({ now: () => Date.now(), after: processClock.after as never }),
      logger: silentLogger,
      observeQueue: () => ({
        depth: () => undefined,
        added: () => undefined,
        retried: () => undefined,
        waited: () => undefined,
        worked() {
          reconciles += 1;
        },
      }),
    };
    controller = replicaSetController(parts, REPLICA_SET, { workers: 5, countsTerminating: false });
    for (const source of controller.sources) source.start();
    for (const source of controller.sources) await source.synced;
    controller.queue.start();
  });

  afterEach(async () => {
    storage.release();
    await Promise.all([...controller.sources.map((source) => source.stop()), controller.queue.stop()]);
    await server.close();
  });

  const pods = async (): Promise<number> => {
    const { entries } = await storage.inner.range({ start: '/registry/pods/', end: '/registry/pods0' });
    return entries.length;
  };

  const create = (replicas: number) =>
    server.send('POST', SETS, {
      metadata: { name: 'web', namespace: 'ns' },
      // Pods without a node are removed at once.
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'app:1' }] },
        },
      },
    });

  const scale = (replicas: number) =>
    server.send('PATCH', `${SETS}/web`, { spec: { replicas } }, 'application/merge-patch+json');

  it('creates and deletes once, before any event has come', async () => {
    storage.hold();
    await create(7);
    await turnsUntil(() => reconciles >= 2 && controller.queue.isIdle);
    expect(await pods()).toBe(7);
    controller.queue.add('ns/web');
    await turnsUntil(() => reconciles >= 3 && controller.queue.isIdle);
    expect(await pods()).toBe(7);
    await scale(3);
    await turnsUntil(() => controller.queue.isIdle);
    await settle();
    expect(await pods()).toBe(3);
    await scale(5);
    await turnsUntil(() => controller.queue.isIdle);
    await settle();
    expect(await pods()).toBe(5);
    storage.release();
    await settle();
    await turnsUntil(() => controller.queue.isIdle);
    expect(await pods()).toBe(5);
  });

  it('creates none a second time of which the store did not say whether it is there', async () => {
    let lost = 2;
    storage.transact = async (transaction) => {
      const result = await storage.inner.transact(transaction);
      if (transaction.key.startsWith('/registry/pods/') && lost > 0) {
        lost -= 1;
        throw new OutcomeUnknownError('no answer');
      }
      return result;
    };
    storage.hold();
    await create(4);
    const { progressRequests } = storage;
    // It is tried again after a back-off, and asks the store for what is still to come.
    await turnsUntil(() => reconciles >= 1 && storage.progressRequests > progressRequests);
    expect([await pods(), lost]).toEqual([1, 1]);
    storage.release();
    await turnsUntil(() => lost === 0 && controller.queue.isIdle);
    await settle();
    await turnsUntil(() => controller.queue.isIdle);
    expect(await pods()).toBe(4);
  });
});

async function* bodyOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
