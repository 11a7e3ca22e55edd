import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAdmissionSettings } from '../../src/composition/admission-configuration.ts';
import { readAuthorizerConfiguration } from '../../src/composition/authorization.ts';
import { Cluster } from '../../src/composition/cluster.ts';
import { configureServer } from '../../src/composition/configure-server.ts';
import { selectedControllers } from '../../src/composition/controllers.ts';
import { openLog } from '../../src/composition/logging.ts';
import { Parts } from '../../src/composition/parts.ts';
import { RequestGate } from '../../src/composition/request-gate.ts';
import { ServerTermination } from '../../src/composition/server-termination.ts';
import { openInstruments } from '../../src/composition/start/open-instruments.ts';
import { openServer } from '../../src/composition/start/open-server.ts';
import { openStore } from '../../src/composition/start/open-store.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type Storage, StoreReplacedError } from '../../src/storage/storage.ts';
import { type InProcessFetch, inProcessFetch } from '../../src/testing/fetch.ts';
import { AdjustableClock } from '../../src/time/adjustable-clock.ts';
import { processClock } from '../../src/time/clock.ts';
import { ReplaceableStorage } from '../storage/replaceable-storage.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const REASON = new StoreReplacedError('another store answers');

interface MapList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

describe('a cluster', () => {
  let parts: Parts;
  let log: string[];
  let storage: ReplaceableStorage;
  let termination: ServerTermination;
  let fetch: InProcessFetch;
  let cluster: Cluster;

  beforeEach(async () => {
    const configuration = configureServer({ storageBackend: 'memory', securePort: 0, controllers: ['-*'] });
    log = [];
    const { logger, verbosity } = openLog(configuration.values, (line) => log.push(line));
    parts = new Parts(logger);
    termination = new ServerTermination();
    const start = {
      configuration,
      selected: selectedControllers(configuration),
      authorizers: await readAuthorizerConfiguration(configuration),
      admission: await readAdmissionSettings(configuration),
      encryption: undefined,
      simulation: undefined,
      logger,
      clusterClock: new AdjustableClock(processClock),
      parts,
      termination,
      lifecycle: { draining: false, rejecting: false, restarting: false },
      verbosity,
    };
    const gate = new RequestGate();
    const instruments = await openInstruments(start);
    const store = await openStore(start, instruments);
    storage = new ReplaceableStorage(createMemoryStorage());
    const server = await openServer(start, instruments, gate.handle);
    cluster = new Cluster({
      start,
      server,
      store: { ...store, storage, unencrypted: storage },
      gate,
    });
    await parts.use(
      'cluster',
      () => cluster,
      (started) => started.stop(),
    );
    fetch = inProcessFetch(gate.handle, server.tls.generated.admin.certificate);
    await cluster.open();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await parts.stop();
  });

  const list = async () => (await (await fetch(MAPS)).json()) as MapList;
  const create = (name: string) => fetch(MAPS, { method: 'POST', body: { metadata: { name } } });
  const servesAgain = () => vi.waitFor(async () => expect((await fetch('/readyz')).status).toBe(200));

  it('starts again from the state of another store', async () => {
    for (const name of ['a', 'b', 'c']) expect((await create(name)).status).toBe(201);
    const before = await list();
    const watch = await fetch(`${MAPS}?watch=1&resourceVersion=${before.metadata.resourceVersion}`);
    storage.replace(createMemoryStorage(), REASON);

    const refused = await fetch(MAPS);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await create('d')).status).toBe(503);
    const ready = await fetch('/readyz');
    expect([ready.status, await ready.text()]).toEqual([
      500,
      '[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\nreadyz check failed\n',
    ]);
    expect((await fetch('/livez')).status).toBe(200);
    expect(await watch.text()).toMatch(/^\{"type":"ERROR",.*"reason":"Expired","code":410\}\}\n$/);

    await servesAgain();
    // The server itself writes meanwhile.
    const least = await storage.currentRevision();
    const after = await list();
    expect(after.items).toEqual([]);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThanOrEqual(least);
    expect(Number(after.metadata.resourceVersion)).toBeLessThanOrEqual(await storage.currentRevision());
    const live = await fetch(`${MAPS}?watch=1&resourceVersion=${after.metadata.resourceVersion}`);
    expect((await create('e')).status).toBe(201);
    const { value } = await live.body!.getReader().read();
    expect(JSON.parse(Buffer.from(value!).toString())).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'e' } },
    });
    expect((await fetch('/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin')).status).toBe(200);
    expect(log.join('')).toContain('started again from the state of the store');
  });

  it('starts again once more if the store is replaced meanwhile, and waits while it does not answer', async () => {
    const failing = createMemoryStorage();
    vi.spyOn(failing, 'range').mockImplementation(() => {
      throw REASON;
    });
    storage.replace(failing, REASON);
    storage.replace(createMemoryStorage(), REASON);
    await servesAgain();
    expect((await create('a')).status).toBe(201);
  });

  it('ends the server with one line if it cannot', async () => {
    const unusable = createMemoryStorage();
    vi.spyOn(unusable as Storage, 'createBatch').mockRejectedValue(new Error('the disk burns'));
    storage.replace(unusable, REASON);
    await expect(termination.closed).rejects.toThrow(
      'the store was replaced (another store answers), and the server cannot start again from its state: the disk burns',
    );
  });

  it('is quiescent when its loops have nothing to do', async () => {
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const body = {
      metadata: { name: 'widgets.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    };
    expect((await fetch(definitions, { method: 'POST', body })).status).toBe(201);
    await cluster.quiescent();
    const revision = await storage.currentRevision();
    const { status } = (await (await fetch(`${definitions}/widgets.example.com`)).json()) as {
      status: { conditions: { type: string; status: string }[] };
    };
    expect(status.conditions.map((one) => `${one.type} ${one.status}`)).toEqual([
      'NamesAccepted True',
      'Established True',
    ]);
    await cluster.quiescent();
    expect(await storage.currentRevision()).toBe(revision);
  });

  it('stops while it starts again', async () => {
    const slow = createMemoryStorage();
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      const { range } = slow;
      vi.spyOn(slow, 'range').mockImplementation(async (options) => {
        resolve();
        await new Promise<void>((release) => (answer = release));
        return range.call(slow, options);
      });
    });
    storage.replace(slow, REASON);
    await asked;
    const stopped = parts.stop();
    answer();
    await stopped;
    expect(log.join('')).not.toContain('started again');
  });
});
