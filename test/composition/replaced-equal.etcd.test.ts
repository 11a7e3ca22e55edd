import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestCluster } from '../../src/testing/index.ts';
import { hasEtcd, type StoredPair } from '../storage/etcd/etcd-process.ts';
import { ReplaceableEtcd, startedAgain, until } from './replaceable-etcd.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const RANGES = '/registry/ranges/';

describe.skipIf(!hasEtcd)('a server whose store is replaced by one of the same length', () => {
  let etcd: ReplaceableEtcd;
  let server: TestCluster;
  beforeEach(async () => {
    etcd = await ReplaceableEtcd.start();
    server = await etcd.serve({ controllers: ['-*'] });
  });
  afterEach(() => etcd.stop());

  const change = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await server.fetch(path, { method, ...(body && { body }) });
    expect([200, 201]).toContain(response.status);
  };
  const names = async (): Promise<string[]> => {
    const { items } = (await (await server.fetch(MAPS)).json()) as {
      items: { metadata: { name: string } }[];
    };
    return items.map(({ metadata }) => metadata.name);
  };

  /** Makes changes until the newest one is to a range of addresses. Returns the newest changes. */
  async function endWithRange(): Promise<readonly StoredPair[]> {
    for (;;) {
      await change('POST', SERVICES, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } });
      await change('DELETE', `${SERVICES}/a`);
      const newest = await etcd.member.newest(2);
      if (newest[0]!.key.startsWith(RANGES) && !newest[1]!.key.startsWith(RANGES)) return newest;
    }
  }

  it('notices it by the uid of an object, although the newest change is equal', async () => {
    await change('POST', MAPS, { metadata: { name: 'lost' } });
    const [range, object] = await endWithRange();
    await etcd.replace(
      () => undefined,
      [],
      async () => {
        while ((await etcd.member.touch()) < object!.revision - 1);
        expect(await etcd.member.put(object!.key, 'with another uid')).toBe(object!.revision);
        while ((await etcd.member.touch()) < range!.revision - 1);
        expect(await etcd.member.put(range!.key, range!.value)).toBe(range!.revision);
        await etcd.member.remove(object!.key);
      },
    );
    await startedAgain(server);
    expect(await names()).toEqual([]);
    await change('POST', MAPS, { metadata: { name: 'after' } });
    await until(async () => (await names()).includes('after'));
  });
});
