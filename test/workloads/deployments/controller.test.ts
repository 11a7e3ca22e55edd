import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRolledOut, template, WorkloadCluster, workload } from '../workload-cluster.ts';

describe('the controller of Deployments', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const create = (name: string, spec: object = {}) =>
    cluster.api.call('POST', cluster.apps('deployments'), workload(name, spec));
  const setsOf = async (name: string) => {
    const { items } = await cluster.api.call('GET', cluster.apps(`replicasets?labelSelector=app=${name}`));
    return items!.map(({ metadata }) => metadata!);
  };

  it('rolls out a template, another one, and the first one again', async () => {
    await create('web');
    const first = await cluster.deployment('web', isRolledOut);
    expect(first.metadata!.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(first.status!.conditions).toMatchObject([
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ]);
    const change = (image: string) =>
      cluster.api.merge(cluster.apps('deployments/web'), { spec: { template: template('web', image) } });
    await change('app:2');
    await cluster.deployment('web', isRolledOut);
    await change('app:1');
    const back = await cluster.deployment('web', isRolledOut);
    expect(back.metadata!.annotations).toEqual({ 'deployment.kubernetes.io/revision': '3' });
    const sets = await setsOf('web');
    expect(
      sets.map(({ annotations = {} }) => annotations['deployment.kubernetes.io/revision-history']).sort(),
    ).toEqual(['1', undefined]);
    const names = sets.map(({ name = '' }) => name);
    for (const name of names)
      await cluster.events('web', `ScalingReplicaSet: Scaled up replica set ${name} from 0 to`);
    await cluster.events('web', 'to 0');
  });

  it('takes another name when its own is taken', async () => {
    const { api } = cluster;
    await create('probe', { paused: false });
    await cluster.deployment('probe', isRolledOut);
    const [{ name = '' }] = (await setsOf('probe')) as [{ name?: string }];
    await api.call('DELETE', cluster.apps('deployments/probe'));
    await api.gone(cluster.apps('replicasets'), name);
    const stranger = { ...workload(name), metadata: { name } };
    await api.call('POST', cluster.apps('replicasets'), stranger);
    await create('probe');
    const { status } = await cluster.deployment('probe', isRolledOut);
    expect(status!.collisionCount).toBe(1);
    expect((await setsOf('probe')).map((set) => set.name)).not.toContain(name);
  });

  it('adopts a ReplicaSet with its template, and releases one that it does not select any more', async () => {
    const { api } = cluster;
    await api.call('POST', cluster.apps('replicasets'), {
      ...workload('mine'),
      metadata: { name: 'mine', labels: { app: 'mine' } },
    });
    await create('mine');
    const { metadata } = await cluster.deployment('mine', isRolledOut);
    const set = await cluster.replicaSet('mine', (one) => one.metadata!.ownerReferences !== undefined);
    expect(set.metadata!.ownerReferences).toMatchObject([
      { kind: 'Deployment', uid: metadata!.uid, controller: true },
    ]);
    await api.merge(cluster.apps('replicasets/mine'), { metadata: { labels: { app: 'free' } } });
    await cluster.replicaSet('mine', (one) => one.metadata!.ownerReferences === undefined);
  });

  it('deletes what belongs to a Deployment with it', async () => {
    await create('gone');
    await cluster.deployment('gone', isRolledOut);
    await cluster.api.call('DELETE', cluster.apps('deployments/gone'));
    await cluster.until(
      cluster.core('pods?labelSelector=app=gone'),
      ({ items }: { items: object[] }) => items.length === 0,
    );
    expect(await setsOf('gone')).toEqual([]);
  });
});
