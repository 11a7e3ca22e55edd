import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestCluster } from '../../src/testing/index.ts';
import { hasEtcd } from '../storage/etcd/etcd-process.ts';
import { ReplaceableEtcd, startedAgain } from './replaceable-etcd.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

interface StoredList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

describe.skipIf(!hasEtcd)('a server with an etcd of its own for a resource, which is replaced', () => {
  let main: ReplaceableEtcd;
  let override: ReplaceableEtcd;
  let server: TestCluster;
  beforeEach(async () => {
    main = await ReplaceableEtcd.start();
    override = await ReplaceableEtcd.start();
    server = await main.serve({
      controllers: ['-*'],
      etcdServersOverrides: [`/configmaps#${override.url}`],
    });
  });
  afterEach(async () => {
    await main.stop();
    await override.stop();
  });

  const list = async (path: string): Promise<StoredList> => {
    const response = await server.fetch(path);
    expect(response.status).toBe(200);
    return (await response.json()) as StoredList;
  };
  const names = ({ items }: StoredList) => items.map(({ metadata }) => metadata.name);
  const create = async (path: string, name: string): Promise<void> => {
    const response = await server.fetch(path, { method: 'POST', body: { metadata: { name } } });
    expect(response.status).toBe(201);
  };
  /** Writes after a backup, and opens a watch of the resource of the override. */
  const prepare = async (): Promise<Response> => {
    await create(MAPS, 'kept');
    await create(SECRETS, 'kept');
    await override.backUp();
    for (let index = 0; index < 5; index += 1) await create(MAPS, `lost-${index}`);
    await create(SECRETS, 'later');
    const { metadata } = await list(MAPS);
    return server.fetch(`${MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  };
  /** The resource has these objects, its watches deliver, and the main store has what it had. */
  const expectServed = async (kept: readonly string[]): Promise<void> => {
    await startedAgain(server);
    const before = await list(MAPS);
    expect(names(before)).toEqual(kept);
    expect(names(await list('/api/v1/namespaces/kube-system/configmaps'))).toContain(
      'extension-apiserver-authentication',
    );
    expect(names(await list(SECRETS))).toEqual(['kept', 'later']);
    const watch = await server.fetch(`${MAPS}?watch=1&resourceVersion=${before.metadata.resourceVersion}`);
    await create(MAPS, 'after');
    const lines = watch.body!.getReader();
    const { value } = await lines.read();
    expect(JSON.parse(Buffer.from(value!).toString())).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'after' } },
    });
    await lines.cancel();
    expect(names(await list(MAPS))).toEqual(['after', ...kept]);
  };

  it('lists the objects of an earlier state', async () => {
    const watch = await prepare();
    await override.replace(override.restore);
    expect(await watch.text()).toMatch(/^\{"type":"ERROR",.*"reason":"Expired","code":410\}\}\n$/);
    await expectServed(['kept']);
  });

  it('lists the objects of an earlier state that others have written beyond the known revision', async () => {
    const watch = await prepare();
    const known = Number((await list(MAPS)).metadata.resourceVersion);
    await override.replace(override.restore, [], async () => {
      while ((await override.member.touch()) <= known + 100);
    });
    expect(await watch.text()).toMatch(/^\{"type":"ERROR",.*"reason":"Expired","code":410\}\}\n$/);
    await expectServed(['kept']);
  });

  it('lists nothing of an empty one', async () => {
    const watch = await prepare();
    await override.replace(() => undefined, ['--initial-cluster-token=another']);
    expect(await watch.text()).toMatch(/^\{"type":"ERROR",.*"reason":"Expired","code":410\}\}\n$/);
    await expectServed([]);
  });
});
