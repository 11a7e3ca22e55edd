import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DaemonSet, StatefulSet } from '../../src/model/generated/apps-v1.ts';
import type { Job } from '../../src/model/generated/batch-v1.ts';
import type { Node, Pod } from '../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { isActive } from '../../src/reconcile/pods/pod-state.ts';
import { BuiltServer } from './support/built-server.ts';

const NODES = 4;
const ROUNDS = 2;
const NAMESPACE = '/namespaces/default';
const SETS = `/apis/apps/v1${NAMESPACE}/statefulsets`;
const DAEMONS = `/apis/apps/v1${NAMESPACE}/daemonsets`;
const JOBS = `/apis/batch/v1${NAMESPACE}/jobs`;

/** Pods are slow enough that a rollout does not end before it is seen. */
const templateOf = (app: string, round: number, spec: object = {}) => ({
  metadata: { labels: { app }, annotations: { 'sim.binnacle.dev/ready-delay': '100ms' } },
  spec: {
    containers: [{ name: 'main', image: `app:${round}` }],
    terminationGracePeriodSeconds: 1,
    ...spec,
  },
});

const imageOf = ({ spec }: Pod): string => spec?.containers?.[0]?.image ?? '';
const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';

describe('controllers of a server that is killed in the middle of their work', () => {
  const server = new BuiltServer([`--simulate-nodes=${NODES}`]);
  beforeAll(async () => {
    await server.start();
    await vi.waitFor(() => server.json('GET', '/api/v1/namespaces/default/serviceaccounts/default'));
    await vi.waitFor(async () => {
      const { items } = await server.json<{ items: Node[] }>('GET', '/api/v1/nodes');
      expect(items).toHaveLength(NODES);
    });
  });
  afterAll(() => server.remove());

  const podsOf = async (app: string): Promise<readonly Pod[]> =>
    (await server.json<{ items: Pod[] }>('GET', `/api/v1${NAMESPACE}/pods?labelSelector=app=${app}`)).items;

  /**
   * Waits until an object is as expected.
   * @param excess what there is too much of; none is found in the meantime
   */
  async function until<Type extends object>(
    path: string,
    isSo: (object: Type) => boolean,
    excess: () => Promise<readonly string[]>,
  ): Promise<void> {
    const found = new Set<string>();
    await vi.waitFor(
      async () => {
        for (const one of await excess()) found.add(one);
        const object = await server.json<Type>('GET', path);
        if (!isSo(object)) throw new Error(JSON.stringify(object));
      },
      { interval: 5, timeout: 60_000 },
    );
    expect([...found]).toEqual([]);
  }

  /** Waits until some Pods are of a round and others are not, and kills the server. */
  async function killInRound(app: string, round: number): Promise<void> {
    await vi.waitFor(
      async () => {
        const images = new Set((await podsOf(app)).filter(isActive).map(imageOf));
        if (!images.has(`app:${round}`)) throw new Error('the rollout has not begun');
        expect(images.size).toBe(2);
      },
      { interval: 1, timeout: 20_000 },
    );
    await server.end('SIGKILL');
    await server.start();
  }

  it('roll out StatefulSets, with the Pods of their ordinals only', async () => {
    const replicas = 5;
    const specOf = (round: number) => ({
      metadata: { name: 'set' },
      spec: {
        replicas,
        serviceName: 'set',
        selector: { matchLabels: { app: 'set' } },
        template: templateOf('set', round),
      },
    });
    const names = Array.from({ length: replicas }, (_, ordinal) => `set-${ordinal}`);
    const rolledOut = () =>
      until<StatefulSet>(
        `${SETS}/set`,
        ({ metadata, status = {} as NonNullable<StatefulSet['status']> }) =>
          status.observedGeneration === metadata!.generation &&
          status.updatedReplicas === replicas &&
          status.readyReplicas === replicas,
        async () => (await podsOf('set')).map(nameOf).filter((name) => !names.includes(name)),
      );
    await server.json('POST', SETS, specOf(0));
    await rolledOut();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await server.json('PUT', `${SETS}/set`, specOf(round));
      await killInRound('set', round);
      await rolledOut();
      const pods = await podsOf('set');
      expect(pods.map(nameOf).sort()).toEqual(names);
      expect(new Set(pods.map(imageOf))).toEqual(new Set([`app:${round}`]));
    }
  });

  it('roll out DaemonSets, with at most one Pod of each node', async () => {
    const specOf = (round: number) => ({
      metadata: { name: 'agent' },
      spec: { selector: { matchLabels: { app: 'agent' } }, template: templateOf('agent', round) },
    });
    const secondOnes = async (): Promise<string[]> => {
      const nodes = (await podsOf('agent')).filter(isActive).map(nodeOf);
      return nodes.filter((node, index) => nodes.indexOf(node) < index);
    };
    const rolledOut = () =>
      until<DaemonSet>(
        `${DAEMONS}/agent`,
        ({ metadata, status = {} as NonNullable<DaemonSet['status']> }) =>
          status.observedGeneration === metadata!.generation &&
          status.updatedNumberScheduled === NODES &&
          status.numberAvailable === NODES,
        secondOnes,
      );
    await server.json('POST', DAEMONS, specOf(0));
    await rolledOut();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await server.json('PUT', `${DAEMONS}/agent`, specOf(round));
      await killInRound('agent', round);
      await rolledOut();
      const pods = await podsOf('agent');
      expect(pods).toHaveLength(NODES);
      expect(new Set(pods.map(imageOf))).toEqual(new Set([`app:${round}`]));
    }
  });

  it('complete Jobs, with one Pod for each index', async () => {
    const completions = 12;
    const parallelism = 3;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `job-${round}`;
      const command = ['sleep', '0.1'];
      const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app', command }] };
      await server.json('POST', JOBS, {
        metadata: { name },
        spec: {
          completions,
          parallelism,
          completionMode: 'Indexed',
          template: templateOf(name, round, spec),
        },
      });
      const above = async (): Promise<string[]> =>
        (await podsOf(name)).filter(isActive).map(nameOf).slice(parallelism);
      await until<Job>(`${JOBS}/${name}`, ({ status }) => (status?.succeeded ?? 0) > round, above);
      await server.end('SIGKILL');
      await server.start();
      const complete = ({ status }: Job): boolean =>
        status?.conditions?.some(({ type }) => type === 'Complete') === true;
      await until<Job>(`${JOBS}/${name}`, complete, above);
      const { status } = await server.json<Job>('GET', `${JOBS}/${name}`);
      expect(status).toMatchObject({ succeeded: completions, completedIndexes: `0-${completions - 1}` });
      expect(status?.failed ?? 0).toBe(0);
      expect(await podsOf(name)).toHaveLength(completions);
    }
  });
});

/** The node of a Pod: that of its affinity before it is bound. */
function nodeOf({ spec }: Pod): string {
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return spec?.nodeName || (terms?.[0]?.matchFields?.[0]?.values?.[0] ?? '');
}
