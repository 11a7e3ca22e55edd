import { readFileSync } from 'node:fs';
import {
  CoreV1Api as CoreV1,
  type CoreV1Api,
  KubeConfig,
  makeInformer,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { until } from './support/until.ts';

const NAMESPACE = 'default';
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

describe('the Kubernetes client library', () => {
  const server = new BuiltServer();
  let config: KubeConfig;
  let api: CoreV1Api;
  const create = (name: string) =>
    api.createNamespacedConfigMap({
      namespace: NAMESPACE,
      body: { metadata: { name }, data: { value: 'first' } },
    });
  beforeAll(async () => {
    await server.start();
    config = new KubeConfig();
    config.loadFromString(readFileSync(server.kubeconfigFile, 'utf8'));
    api = config.makeApiClient(CoreV1);
  });
  afterAll(() => server.remove());

  it('delivers existing objects, changes, and changes after a crash of the server', async () => {
    await create('early');
    const informer = makeInformer<V1ConfigMap>(config, PATH, () =>
      api.listNamespacedConfigMap({ namespace: NAMESPACE }),
    );
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, (object) => seen.push(`${verb} ${object.metadata?.name} ${object.data?.['value']}`));
    let down = false;
    informer.on('error', () => {
      down = true;
    });
    const has = (line: string) => until(() => seen.includes(line), `${line}; seen ${seen.join(', ')}`);
    await informer.start();
    await has('add early first');
    await create('late');
    await has('add late first');
    await api.replaceNamespacedConfigMap({
      name: 'late',
      namespace: NAMESPACE,
      body: { metadata: { name: 'late' }, data: { value: 'second' } },
    });
    await has('update late second');
    await api.deleteNamespacedConfigMap({ name: 'late', namespace: NAMESPACE });
    await has('delete late second');

    await server.end('SIGKILL');
    await until(() => down, 'the informer sees that the server is gone');
    await server.start();
    await create('afterwards');
    await informer.start();
    await has('add afterwards first');
    expect(informer.get('early', NAMESPACE)?.data).toEqual({ value: 'first' });
    await informer.stop();
  });

  it('resumes a watch from a version older than the process', async () => {
    const { metadata } = await api.listNamespacedConfigMap({ namespace: NAMESPACE });
    await create('missed');
    await api.deleteNamespacedConfigMap({ name: 'missed', namespace: NAMESPACE });
    await server.end('SIGKILL');
    await server.start();
    await create('resumed');
    const seen: string[] = [];
    const controller = await new Watch(config).watch(
      PATH,
      { resourceVersion: metadata!.resourceVersion! },
      (type, object: V1ConfigMap) => seen.push(`${type} ${object.metadata?.name}`),
      () => undefined,
    );
    await until(() => seen.length >= 3, 'three events');
    controller.abort();
    expect(seen).toEqual(['ADDED missed', 'DELETED missed', 'ADDED resumed']);
  });

  it('reads long lists in pages', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => create(`page-${index}`)));
    const names: string[] = [];
    let token: string | undefined;
    do {
      const page = await api.listNamespacedConfigMap({
        namespace: NAMESPACE,
        limit: 5,
        ...(token === undefined ? {} : { _continue: token }),
      });
      names.push(...page.items.map(({ metadata }) => metadata!.name!));
      token = page.metadata?._continue;
    } while (token !== undefined && token !== '');
    expect(names.filter((name) => name.startsWith('page-'))).toHaveLength(12);
    expect(names).toEqual([...names].sort());
  });

  it('receives errors as API Status objects', async () => {
    await expect(api.readNamespacedConfigMap({ name: 'absent', namespace: NAMESPACE })).rejects.toMatchObject(
      { code: 404 },
    );
    await expect(create('Not_Valid')).rejects.toMatchObject({ code: 422 });
  });
});
