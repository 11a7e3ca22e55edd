import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../src/model/generated/apps-v1.ts';
import { isActive, isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { boundsOf, wanted } from '../../../src/workloads/deployments/replica-sets.ts';
import { PodCounter } from '../pod-counter.ts';
import { isRolledOut, template, WorkloadCluster, workload } from '../workload-cluster.ts';

const REPLICAS = 6;

const strategies = fc.constantFrom(
  { maxSurge: 1, maxUnavailable: 0 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: '50%', maxUnavailable: '50%' },
  { maxSurge: '100%', maxUnavailable: 0 },
);

/** Something that users do, or that happens to a Pod. */
const step = fc.oneof(
  fc.record({ does: fc.constant('image' as const), value: fc.nat(2) }),
  fc.record({ does: fc.constant('scale' as const), value: fc.integer({ min: 0, max: 10 }) }),
  fc.record({
    does: fc.constantFrom('fail' as const, 'delete' as const, 'unready' as const),
    value: fc.nat(20),
  }),
);

describe('a Deployment on simulated nodes', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  const path = (): string => cluster.apps('deployments/web');

  /** Creates a Deployment in a namespace of its own, and follows its Pods. */
  async function begin(rollingUpdate: object): Promise<PodCounter> {
    cluster = await cluster.inNewNamespace();
    const counter = await PodCounter.start(cluster);
    const strategy = { type: 'RollingUpdate', rollingUpdate };
    await cluster.api.call(
      'POST',
      cluster.apps('deployments'),
      workload('web', { replicas: REPLICAS, strategy }),
    );
    await cluster.deployment('web', isRolledOut);
    await counter.until((pods) => pods.filter(isReady).length === REPLICAS);
    return counter;
  }

  async function end(counter: PodCounter): Promise<void> {
    await counter.stop();
    await cluster.api.call('DELETE', path());
  }

  it('has neither too many Pods nor too few ready ones at any event of rollouts', () =>
    fc.assert(
      fc.asyncProperty(
        strategies,
        fc.array(fc.nat(3), { minLength: 2, maxLength: 4 }),
        async (strategy, images) => {
          const counter = await begin(strategy);
          const broken: string[] = [];
          const { surge, unavailable } = boundsOf((await cluster.api.call('GET', path())) as Deployment);
          counter.onEvent((pods) => {
            const active = pods.filter(isActive);
            const ready = active.filter(isReady).length;
            if (active.length > REPLICAS + surge) broken.push(`${active.length} Pods`);
            if (ready < REPLICAS - unavailable) broken.push(`${ready} ready Pods`);
          });
          for (const image of images) {
            await cluster.api.merge(path(), { spec: { template: template('web', `app:${image}`) } });
            // The next rollout begins within this one.
            await Promise.race([counter.changed(12), cluster.deployment('web', isRolledOut)]);
          }
          await cluster.deployment('web', isRolledOut);
          expect(broken).toEqual([]);
          await end(counter);
        },
      ),
      { numRuns: 4 },
    ));

  it('has never too many Pods, and comes to rest, whatever users do and whichever Pods fail', () =>
    fc.assert(
      fc.asyncProperty(
        strategies,
        fc.array(step, { minLength: 10, maxLength: 25 }),
        async (strategy, steps) => {
          const counter = await begin(strategy);
          const broken: string[] = [];
          let most = 0;
          const permit = (deployment: Deployment): void => {
            most = Math.max(most, wanted(deployment) + boundsOf(deployment).surge);
          };
          permit((await cluster.api.call('GET', path())) as Deployment);
          counter.onEvent((pods) => {
            const count = pods.filter(isActive).length;
            if (count > most) broken.push(`${count} Pods, ${most} permitted`);
          });
          for (const { does, value } of steps) {
            const pods = counter.active;
            const name = pods[value % Math.max(1, pods.length)]?.metadata?.name;
            if (does === 'image')
              await cluster.api.merge(path(), { spec: { template: template('web', `app:${value}`) } });
            else if (does === 'scale') {
              permit({
                ...((await cluster.api.call('GET', path())) as Deployment),
                spec: { replicas: value, strategy: { rollingUpdate: strategy } },
              });
              await cluster.api.merge(path(), { spec: { replicas: value } });
            } else if (name !== undefined) await harm(does, name);
          }
          const deployment = await cluster.deployment('web', isRolledOut);
          await counter.until((pods) => pods.filter(isActive).length === wanted(deployment));
          expect(broken).toEqual([]);
          await end(counter);
        },
      ),
      { numRuns: 4 },
    ));

  /** A Pod may have gone meanwhile. */
  async function harm(does: 'fail' | 'delete' | 'unready', name: string): Promise<void> {
    const annotation =
      does === 'fail' ? { 'sim.binnacle.dev/fail': 'Told' } : { 'sim.binnacle.dev/ready': 'false' };
    const pod = cluster.core(`pods/${name}`);
    const done =
      does === 'delete'
        ? cluster.api.call('DELETE', pod)
        : cluster.api.merge(pod, { metadata: { annotations: annotation } });
    await done.catch((error: Error) => {
      if (!error.message.includes('404')) throw error;
    });
    if (does !== 'unready') return;
    // It recovers, or is replaced.
    await cluster.api
      .merge(pod, { metadata: { annotations: { 'sim.binnacle.dev/ready': null } } })
      .catch(() => undefined);
  }
});
