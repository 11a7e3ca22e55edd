import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from '../../../src/model/generated/apiextensions-v1.ts';
import type { StorageVersionMigration } from '../../../src/model/generated/storagemigration-v1.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { watchUntil } from '../../support/watch-until.ts';

const MIGRATIONS = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgetsIn = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;

const SCHEMA = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema: SCHEMA });

describe('StorageVersionMigrations of 1.37', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ kubernetesVersion: '1.37' });
  });
  afterAll(() => cluster.stop());

  const call = async <Answer>(
    method: string,
    path: string,
    body?: object,
    type?: string,
  ): Promise<Answer> => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const response = await cluster.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = (await response.json()) as Answer & { message?: string };
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  };

  const migrate = async (name: string, group: string, resource: string): Promise<StorageVersionMigration> => {
    await call('POST', MIGRATIONS, { metadata: { name }, spec: { resource: { group, resource } } });
    return (await watchUntil(cluster, `${MIGRATIONS}?fieldSelector=metadata.name%3D${name}`, (object) => {
      const { conditions = [] } = (object as StorageVersionMigration).status ?? {};
      return conditions.some(({ type, status }) => type === 'Running' && status === 'False');
    })) as StorageVersionMigration;
  };

  it('store custom objects in the present version, and say so in the definition', async () => {
    await call('POST', DEFINITIONS, {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [version('v1', true), version('v2', false)],
      },
    });
    await watchUntil(cluster, DEFINITIONS, (object) => {
      const { conditions } = (object as CustomResourceDefinition).status ?? {};
      return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
    });
    const names = ['a', 'b', 'c'];
    for (const name of names)
      await call('POST', widgetsIn('v1'), {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name },
        spec: { name },
      });
    const change = { spec: { versions: [version('v1', false), version('v2', true)] } };
    await call('PATCH', `${DEFINITIONS}/widgets.example.com`, change, 'application/merge-patch+json');
    await watchUntil(
      cluster,
      DEFINITIONS,
      (object) => (object as CustomResourceDefinition).status?.storedVersions?.length === 2,
    );
    const done = await migrate('widgets', 'example.com', 'widgets');
    expect(done.status?.conditions).toMatchObject([
      { type: 'Running', status: 'False', reason: 'MigrationCompleted', message: 'Migration completed' },
      { type: 'Succeeded', status: 'True', reason: 'StorageVersionMigrationSucceeded' },
    ]);
    const definition = await call<CustomResourceDefinition>('GET', `${DEFINITIONS}/widgets.example.com`);
    expect(definition.status?.storedVersions).toEqual(['v2']);
    expect(definition.status?.conditions?.find(({ type }) => type === 'StorageMigrating')).toMatchObject({
      status: 'False',
      reason: 'MigrationSucceeded',
      message: 'The migration has succeeded and the stored versions have been updated',
    });
    // They can be read when the old version is gone.
    const only = { spec: { versions: [version('v2', true)] } };
    await call('PATCH', `${DEFINITIONS}/widgets.example.com`, only, 'application/merge-patch+json');
    const list = await call<{ items: { spec: unknown }[] }>('GET', widgetsIn('v2'));
    expect(list.items.map(({ spec }) => spec)).toEqual(names.map((name) => ({ name })));
  });

  it('of resources that are stored as they are change no object', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const before = await call<{ metadata: { resourceVersion: string } }>('POST', path, {
      metadata: { name: 'kept' },
    });
    const done = await migrate('config-maps', '', 'configmaps');
    expect(done.status?.conditions?.map(({ type }) => type)).toEqual(['Running', 'Succeeded']);
    const after = await call<typeof before>('GET', `${path}/kept`);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('of resources that cannot be patched fail', async () => {
    const done = await migrate('reviews', 'authentication.k8s.io', 'tokenreviews');
    expect(done.status?.conditions?.[1]).toMatchObject({
      type: 'Failed',
      reason: 'StorageVersionMigrationFailed',
      message:
        'resource "authentication.k8s.io/v1, Resource=tokenreviews" does not support discovery operations: [update patch list]',
    });
  });
});
