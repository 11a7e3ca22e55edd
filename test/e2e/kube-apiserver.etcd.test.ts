import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EtcdProcesses, hasEtcd } from '../storage/etcd/etcd-process.ts';
import { recorded } from '../support/recorded.ts';
import { BuiltServer } from './support/built-server.ts';
import { checkHistories, writes } from './support/check-histories.ts';
import { HistoryLoad } from './support/history-load.ts';
import { hasKubeApiserver, KubeApiserver } from './support/kube-apiserver.ts';
import { AUTHORIZATION, sharedCredentials } from './support/shared-credentials.ts';
import { until } from './support/until.ts';

interface Item {
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
  };
}
interface List {
  readonly items?: readonly Item[] | null;
}

/** Objects that servers write on their own, also those of clients. */
const OWN =
  /\/(apiservices|leases|storageversions|componentstatuses|endpoints|endpointslices|flowschemas|prioritylevelconfigurations|customresourcedefinitions)$/;
/** What servers renew while nothing happens. */
const RENEWED = /^\/registry\/(masterleases\/.*|leases\/kube-system\/(apiserver-.*|binnacle-controllers))$/;

describe.skipIf(!hasEtcd || !hasKubeApiserver)('beside a kube-apiserver', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-beside-'));
  let etcd: EtcdProcesses;
  let own: BuiltServer;
  let other: KubeApiserver;
  let client: HistoryLoad;

  beforeAll(async () => {
    etcd = await EtcdProcesses.start();
    const credentials = sharedCredentials(directory);
    const flags = (address: string) => [
      `--etcd-servers=${etcd.urls.join(',')}`,
      `--advertise-address=${address}`,
      '--authorization-mode=RBAC',
      ...credentials,
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
    own = await new BuiltServer(['--controllers=-*', ...flags('192.0.2.1')]).start();
    other = await new KubeApiserver(flags('192.0.2.2'), AUTHORIZATION).start();
    const urls = [own.url, other.url];
    client = new HistoryLoad({ urls, authorization: AUTHORIZATION, path: '', keys: [], recorded: [] });
  });
  afterAll(async () => {
    await client?.stop();
    await own?.remove();
    await other?.remove();
    await etcd?.stop();
    rmSync(directory, { recursive: true });
  });

  const items = async (server: number, path: string): Promise<readonly Item[]> => {
    const { status, body } = await client.send(server, 'GET', path);
    expect([path, status]).toEqual([path, 200]);
    return (body as List).items ?? [];
  };
  const itemPath = (path: string, { metadata: { namespace, name } }: Item): string => {
    const at = path.lastIndexOf('/');
    const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
    return `${path.slice(0, at)}${scope}${path.slice(at)}/${encodeURIComponent(name)}`;
  };

  it.each([
    ['own', 0],
    ['the other', 1],
  ])(
    'objects written by the %s server are the same at both, and not written again',
    async (_name, writer) => {
      const { lists } = recorded<{ lists: Readonly<Record<string, List>> }>('stored-registry');
      const [reader, suffix] = [1 - writer, `-${writer}`];
      let created = 0;
      for (const [path, { items: wanted }] of Object.entries(lists)) {
        if (OWN.test(path) || path.split('/')[2]!.split('.').length === 2) continue;
        for (const { metadata, ...rest } of wanted ?? []) {
          if (/^(kube-|system:|default$)/.test(metadata.name)) continue;
          const { name, namespace, labels, annotations } = metadata;
          if (namespace !== undefined)
            await client.send(writer, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
          const renamed = { name: `${name}${suffix}`, namespace, labels, annotations };
          const object = { metadata: renamed } as Item;
          const collection = itemPath(path, object).replace(/\/[^/]*$/, '');
          const { status } = await client.send(writer, 'POST', collection, { ...rest, ...object });
          if (status !== 201) continue;
          created += 1;
          const target = itemPath(path, object);
          const [mine, theirs] = await Promise.all(
            [0, 1].map((server) => client.send(server, 'GET', target)),
          );
          expect(theirs).toEqual(mine);
          // Both write only what changes the stored bytes. Claims are created without their phase, which an update adds.
          if (path.endsWith('/persistentvolumeclaims')) continue;
          const again = await client.send(reader, 'PUT', target, mine!.body);
          expect([target, again.status, again.body]).toEqual([target, 200, mine!.body]);
        }
      }
      expect(created).toBeGreaterThan(40);
    },
  );

  it('concurrent clients of both see one store', async () => {
    await checkHistories({
      urls: [own.url, other.url],
      authorization: AUTHORIZATION,
      namespace: 'histories',
      clients: 6,
      patchesConflict: true,
      controllers: false,
      fault: async (load) => {
        await other.stop();
        await writes(load);
        await other.start();
      },
    });
  });

  it('no address and no port is given twice', async () => {
    const path = '/api/v1/namespaces/default/services';
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        client.send(index, 'POST', path, {
          metadata: { name: `service-${index}` },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const specs = answers.map(
      ({ body }) => body['spec'] as { clusterIP: string; ports: { nodePort: number }[] },
    );
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(40);
    expect(new Set(specs.map(({ ports }) => ports[0]!.nodePort)).size).toBe(40);
  });

  it('both are endpoints of the cluster, and neither writes what the other has written', async () => {
    const path = '/api/v1/namespaces/default/endpoints/kubernetes';
    await until(async () => {
      const { subsets } = (await client.send(0, 'GET', path)).body as {
        subsets: { addresses: { ip: string }[] }[];
      };
      return subsets[0]!.addresses.map(({ ip }) => ip).join() === '192.0.2.1,192.0.2.2';
    }, 'the addresses of both servers');
    const before = await revisions();
    // Longer than the period of the loops that renew leases and reconcile endpoints.
    await wait(12_000);
    const changed = [...(await revisions())].filter(([key, revision]) => before.get(key) !== revision);
    expect(changed.map(([key]) => key).filter((key) => !RENEWED.test(key))).toEqual([]);
    expect(await items(0, '/apis/apiregistration.k8s.io/v1/apiservices')).toEqual(
      await items(1, '/apis/apiregistration.k8s.io/v1/apiservices'),
    );
  });

  /** The revision of every key, from the JSON gateway of etcd. */
  async function revisions(): Promise<ReadonlyMap<string, string>> {
    const all = Buffer.from('\0').toString('base64');
    const answer = await fetch(`${etcd.urls[0]}/v3/kv/range`, {
      method: 'POST',
      body: JSON.stringify({ key: all, range_end: all, keys_only: true }),
    });
    const { kvs } = (await answer.json()) as { kvs: { key: string; mod_revision: string }[] };
    return new Map(kvs.map(({ key, mod_revision }) => [Buffer.from(key, 'base64').toString(), mod_revision]));
  }
});
