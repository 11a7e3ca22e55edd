import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { BalancedClient } from './support/balanced-client.ts';
import { type Answer, BuiltServer } from './support/built-server.ts';
import { AUTHORIZATION, sharedCredentials } from './support/shared-credentials.ts';
import { until } from './support/until.ts';

const REPLICAS = 3;
const NAMESPACE = '/api/v1/namespaces/default';

describe.skipIf(!hasEtcd)('three servers on one etcd', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-replicas-'));
  let etcd: EtcdProcesses;
  let servers: BuiltServer[];

  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
    const flags = [
      `--etcd-servers=${etcd.urls.join(',')}`,
      ...sharedCredentials(directory),
      '--service-cluster-ip-range=10.0.0.0/26',
      '--shutdown-delay-duration=1s',
    ];
    servers = await Promise.all(Array.from({ length: REPLICAS }, () => new BuiltServer(flags).start()));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await etcd.stop();
    rmSync(directory, { recursive: true });
  });

  const send = (index: number, method: string, path: string, body?: unknown): Promise<Answer> =>
    servers[index % REPLICAS]!.request(path, {
      method,
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      client: {},
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async (index: number, path: string) => {
    const { status, text } = await send(index, 'GET', path);
    expect([path, status, text.slice(0, 200)]).toEqual([path, 200, expect.anything()]);
    return JSON.parse(text);
  };

  it('answers with what another server has just written', async () => {
    for (let round = 0; round < 30; round += 1) {
      const name = `seen-${round}`;
      const created = await send(round, 'POST', `${NAMESPACE}/configmaps`, { metadata: { name } });
      expect(created.status).toBe(201);
      const { metadata } = await read(round + 1, `${NAMESPACE}/configmaps/${name}`);
      const list = await read(round + 2, `${NAMESPACE}/configmaps`);
      expect(list.items.map(({ metadata: { name } }: never) => name)).toContain(name);
      const { metadata: changed } = JSON.parse(
        (
          await send(round + 2, 'PUT', `${NAMESPACE}/configmaps/${name}`, {
            metadata: { name, resourceVersion: metadata.resourceVersion },
            data: { round: String(round) },
          })
        ).text,
      );
      expect(Number(changed.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
      expect((await read(round, `${NAMESPACE}/configmaps/${name}`)).data.round).toBe(String(round));
    }
  });

  it('creates objects in a namespace that another server has just created', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `space-${round}`;
      expect((await send(round, 'POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
      const path = `/api/v1/namespaces/${name}/configmaps`;
      expect((await send(round + 1, 'POST', path, { metadata: { name: 'x' } })).status).toBe(201);
    }
  });

  it('never gives an address or a port to two Services', async () => {
    const created = await Promise.all(
      Array.from({ length: 48 }, async (_, index) => {
        const service = {
          metadata: { name: `service-${index}` },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        };
        const { status, text } = await send(index, 'POST', `${NAMESPACE}/services`, service);
        expect([status, text.slice(0, 200)]).toEqual([201, expect.anything()]);
        return JSON.parse(text).spec;
      }),
    );
    expect(new Set(created.map(({ clusterIP }) => clusterIP)).size).toBe(48);
    expect(new Set(created.map(({ ports }) => ports[0].nodePort)).size).toBe(48);
  });

  it('keeps a quota under concurrent writers', async () => {
    const quota = { metadata: { name: 'few' }, spec: { hard: { secrets: '5' } } };
    await send(0, 'POST', '/api/v1/namespaces', { metadata: { name: 'bounded' } });
    await send(0, 'POST', '/api/v1/namespaces/bounded/resourcequotas', quota);
    await until(async () => {
      const { status } = await read(0, '/api/v1/namespaces/bounded/resourcequotas/few');
      return status?.used?.secrets === '0';
    }, 'the use of the quota');
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        send(index, 'POST', '/api/v1/namespaces/bounded/secrets', { metadata: { name: `s-${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });

  it('serves a kind on every server as soon as one has established it', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const definition = {
      metadata: { name: 'gadgets.replicas.test' },
      spec: {
        group: 'replicas.test',
        scope: 'Cluster',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await send(0, 'POST', definitions, definition)).status).toBe(201);
    await until(async () => {
      const { status } = await read(1, `${definitions}/gadgets.replicas.test`);
      return status.conditions?.some(
        ({ type, status }: { type: string; status: string }) => type === 'Established' && status === 'True',
      );
    }, 'the definition to be established');
    const gadget = { apiVersion: 'replicas.test/v1', kind: 'Gadget', metadata: { name: 'one' } };
    expect((await send(2, 'POST', '/apis/replicas.test/v1/gadgets', gadget)).status).toBe(201);
    for (let index = 0; index < REPLICAS; index += 1) await read(index, '/apis/replicas.test/v1/gadgets/one');
  });

  it('accepts the token of a service account everywhere', async () => {
    const path = `${NAMESPACE}/serviceaccounts`;
    expect((await send(0, 'POST', path, { metadata: { name: 'robot' } })).status).toBe(201);
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status, text } = await send(1, 'POST', `${path}/robot/token`, request);
    expect(status).toBe(201);
    const authorization = `Bearer ${JSON.parse(text).status.token}`;
    for (const server of servers)
      expect((await server.request('/version', { headers: { authorization }, client: {} })).status).toBe(200);
  });

  it('runs the controllers on one server, and on another one when that ends', async () => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/binnacle-controllers';
    const holder = async (index: number): Promise<string> => (await read(index, lease)).spec.holderIdentity;
    const ended = servers.findIndex(({ output }) => output.includes('"became leader"'));
    const first = await holder(ended);
    await servers[ended]!.end('SIGKILL');
    const other = (ended + 1) % REPLICAS;
    expect((await send(other, 'POST', '/api/v1/namespaces', { metadata: { name: 'after' } })).status).toBe(
      201,
    );
    const account = '/api/v1/namespaces/after/serviceaccounts/default';
    await until(async () => (await send(other, 'GET', account)).status === 200, 'another leader');
    expect(await holder(other)).not.toBe(first);
    await servers[ended]!.start();
    expect((await read(ended, '/api/v1/namespaces/after')).status.phase).toBe('Active');
  });

  it('loses no request while the servers are restarted one after another', async () => {
    const client = new BalancedClient(
      servers.map(({ url }) => url),
      'Bearer secret',
    );
    await until(async () => {
      await client.probe();
      return client.readyServers === REPLICAS;
    }, 'all servers to be ready');
    const failures: string[] = [];
    let [requests, restarting] = [0, true];
    const work = async (worker: number): Promise<void> => {
      for (let round = 0; restarting; round += 1) {
        const name = `rolling-${worker}-${round}`;
        const path = `${NAMESPACE}/configmaps`;
        const expectStatus = async (expected: number, method: string, target: string, body?: unknown) => {
          requests += 1;
          const status = await client.send(method, target, body).catch((error: Error) => error.message);
          if (status !== expected) failures.push(`${method} ${name}: ${status}`);
        };
        await expectStatus(201, 'POST', path, { metadata: { name } });
        await expectStatus(200, 'GET', `${path}/${name}`);
        await expectStatus(200, 'DELETE', `${path}/${name}`);
      }
    };
    const workers = Array.from({ length: 8 }, (_, worker) => work(worker));
    for (const server of servers) {
      expect((await server.end('SIGTERM')).code).toBe(0);
      await server.start();
      await until(() => client.readyServers === REPLICAS, 'the restarted server to be ready');
    }
    restarting = false;
    await Promise.all(workers);
    client.close();
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(100);
  });
});
