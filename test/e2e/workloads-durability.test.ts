import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Deployment } from '../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../src/model/generated/core-v1.ts';
import { isActive } from '../../src/reconcile/pods/pod-state.ts';
import { isRolledOut, template, workload } from '../workloads/workload-cluster.ts';
import { BuiltServer } from './support/built-server.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';

const REPLICAS = 12;
const SURGE = 2;
const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: SURGE, maxUnavailable: 1 } };

/** Pods are slow enough that a rollout does not end before it is seen. */
function specOf(round: number): object {
  const { metadata, spec } = template('web', `app:${round}`);
  const annotations = { 'sim.binnacle.dev/ready-delay': '100ms' };
  return { replicas: REPLICAS, strategy, template: { metadata: { ...metadata, annotations }, spec } };
}

const imageOf = ({ spec }: Pod): string | undefined => spec?.containers?.[0]?.image;

describe('a server that is killed in the middle of rollouts', () => {
  const server = new BuiltServer(['--simulate-nodes=2']);
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  const active = async (): Promise<readonly Pod[]> =>
    (await server.json<{ items: Pod[] }>('GET', PODS)).items.filter(isActive);

  const rolledOut = () =>
    vi.waitFor(
      async () => {
        expect((await active()).length).toBeLessThanOrEqual(REPLICAS + SURGE);
        const deployment = await server.json<Deployment>('GET', `${DEPLOYMENT}/web`);
        if (!isRolledOut(deployment)) throw new Error(JSON.stringify(deployment.status));
      },
      { interval: 5, timeout: 60_000 },
    );

  it('completes them after each start, with no Pod too many', async () => {
    await vi.waitFor(() => server.json('GET', '/api/v1/namespaces/default/serviceaccounts/default'));
    await server.json('POST', DEPLOYMENT, workload('web', specOf(0)));
    await rolledOut();
    for (let round = 1; round <= 3; round += 1) {
      await server.json('PUT', `${DEPLOYMENT}/web`, workload('web', specOf(round)));
      await vi.waitFor(
        async () => {
          const images = new Set((await active()).map(imageOf));
          if (!images.has(`app:${round}`)) throw new Error('the rollout has not begun');
          expect(images.size).toBe(2);
        },
        { interval: 1 },
      );
      await server.end('SIGKILL');
      await server.start();
      await rolledOut();
      const pods = await active();
      expect(pods.length).toBe(REPLICAS);
      expect(new Set(pods.map(imageOf))).toEqual(new Set([`app:${round}`]));
    }
  });
});
