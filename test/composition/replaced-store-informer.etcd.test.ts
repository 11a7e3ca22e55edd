import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasEtcd } from '../storage/etcd/etcd-process.ts';
import { ReplaceableEtcd, startedAgain, until } from './replaceable-etcd.ts';

const NAMESPACE = 'default';
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

describe.skipIf(!hasEtcd)('an informer whose server gets an earlier store', () => {
  let etcd: ReplaceableEtcd;
  beforeEach(async () => {
    etcd = await ReplaceableEtcd.start();
  });
  afterEach(() => etcd.stop());

  it('has the objects of that store, and receives new ones', async () => {
    const server = await etcd.serve({ controllers: ['-*'] });
    const change = async (method: string, path: string, body?: object): Promise<void> => {
      const response = await server.fetch(path, { method, ...(body && { body }) });
      expect([200, 201]).toContain(response.status);
    };
    const create = (name: string, value: string) =>
      change('POST', MAPS, { metadata: { name }, data: { value } });
    await create('changed', 'old');
    await create('removed', 'old');
    await etcd.backUp();
    await create('lost', 'new');
    await change('PUT', `${MAPS}/changed`, { metadata: { name: 'changed' }, data: { value: 'new' } });
    await change('DELETE', `${MAPS}/removed`);

    const config = new KubeConfig();
    config.loadFromString(server.kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const informer = makeInformer<V1ConfigMap>(config, MAPS, () =>
      api.listNamespacedConfigMap({ namespace: NAMESPACE }),
    );
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata, data }) => seen.push(`${verb} ${metadata?.name} ${data?.['value']}`));
    // As the library's documentation says: an informer that fails is started again.
    const restart = (): void => void setTimeout(() => informer.start().catch(restart), 100);
    informer.on('error', restart);
    const held = () =>
      informer
        .list()
        .map(({ metadata, data }) => `${metadata?.name} ${data?.['value']}`)
        .sort();
    await informer.start();
    await expect.poll(held).toEqual(['changed new', 'lost new']);
    seen.length = 0;

    await etcd.replace(etcd.restore);
    await startedAgain(server);
    await create('after', 'new');
    await until(async () => held().includes('after new'));
    expect(held()).toEqual(['after new', 'changed old', 'removed old']);
    expect(seen.sort()).toEqual([
      'add after new',
      'add removed old',
      'delete lost new',
      'update changed old',
    ]);
    await informer.stop();
  });
});
