import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONTROLLERS, type ControllerNeeds } from '../../../src/controllers/table.ts';
import type { ControllerDeclaration } from '../../../src/reconcile/declaration.ts';
import { SimulatedCluster } from '../../nodes/simulated-cluster.ts';
import { AuditLog, type ControllerRequest } from './audit-log.ts';
import { PROVOCATIONS } from './provocations.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:';
/** Seconds between two checks of the collector of garbage. */
const STEP = 20;

/** What the recorded scenarios do not show. The sources of kube-controller-manager have it, and its bootstrap roles. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'cronjob-controller': ['delete jobs'],
  'daemon-set-controller': ['delete pods', 'patch pods', 'patch controllerrevisions'],
  'deployment-controller': ['delete replicasets', 'patch replicasets'],
  'endpointslice-controller': ['delete endpointslices'],
  'horizontal-pod-autoscaler': ['update horizontalpodautoscalers/status'],
  'job-controller': ['delete pods'],
  'node-controller': ['patch nodes/status', 'patch pods/status', 'delete pods'],
  'persistent-volume-binder': ['create persistentvolumes'],
  'pod-garbage-collector': ['patch pods/status', 'delete pods'],
  'replicaset-controller': ['patch pods'],
  'replication-controller': ['patch pods'],
  'resource-claim-controller': ['create resourceclaims', 'patch pods/status'],
  'statefulset-controller': ['patch pods', 'update persistentvolumeclaims'],
};
/** Whoever reports an event may report it again. */
const EVENTS = ['create events', 'patch events'];

const declarations: readonly ControllerDeclaration<ControllerNeeds>[] = CONTROLLERS;
/** The accounts of controllers that exist while there are objects for them, without those of disabled gates. */
const accounts = [
  ...new Set(
    declarations.flatMap(({ account, wakesFor, gate }) =>
      account !== undefined && wakesFor !== undefined && gate === undefined ? account : [],
    ),
  ),
];

const recorded = new Map<string, Set<string>>();
for (const line of readFileSync(new URL('writes.tsv', import.meta.url), 'utf8')
  .split('\n')
  .slice(2)) {
  const [account = '', verb, resources = ''] = line.split('\t');
  const known = recorded.get(account) ?? new Set();
  recorded.set(account, known);
  for (const resource of resources.split(' ')) known.add(`${verb} ${resource}`);
}

describe('controllers of workloads', () => {
  const log = new AuditLog();
  let cluster: SimulatedCluster;
  beforeAll(async () => {
    cluster = await SimulatedCluster.start({
      controllers: ['*'],
      auditPolicyFile: log.policyFile,
      auditLogPath: log.file,
      featureGates: ['DynamicResourceAllocation=true'],
      runtimeConfig: ['resource.k8s.io/v1beta1=true'],
    });
  });
  afterAll(async () => {
    await cluster.stop();
    log.remove();
  });

  const awaited = (account: string, from: number, isSo: (request: ControllerRequest) => boolean) =>
    vi.waitFor(
      async () => {
        await cluster.clock.advance(STEP * 1000);
        const found = log
          .requests()
          .slice(from)
          .find((request) => request.account === account && isSo(request));
        if (found === undefined) throw new Error(`no such request of ${account}`);
        return found;
      },
      { interval: 20 },
    );

  it('are all provoked here', () =>
    expect(accounts.filter((account) => !Object.hasOwn(PROVOCATIONS, account))).toEqual([]));

  it.each(accounts)('%s is refused without its bootstrap role, and works with it', async (account) => {
    const namespace = `of-${account}`;
    await cluster.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await cluster.until(`/api/v1/namespaces/${namespace}/serviceaccounts/default`, () => true);
    const { rules } = await cluster.send('GET', ROLES + account);
    await cluster.merge(ROLES + account, { rules: [] });
    const from = log.requests().length;
    await PROVOCATIONS[account]!(cluster, namespace, `${account}-refused`);
    const { message, refusal } = await awaited(account, from, ({ isRefused }) => isRefused);
    expect(message).toBe(refusal);
    await cluster.merge(ROLES + account, { rules });
    const restored = log.requests().length;
    await PROVOCATIONS[account]!(cluster, namespace, `${account}-allowed`);
    await awaited(account, restored, ({ isDone }) => isDone);
  });

  it('write what those of kube-controller-manager write', () => {
    const others = log
      .requests()
      .filter(({ account, verb, isDone }) => verb !== 'get' && isDone && accounts.includes(account))
      .map(({ account, verb, resource }) => ({ account, write: `${verb} ${resource}` }))
      .filter(
        ({ account, write }) =>
          !EVENTS.includes(write) &&
          recorded.get(account)?.has(write) !== true &&
          ALSO[account]?.includes(write) !== true,
      );
    expect([...new Set(others.map(({ account, write }) => `${account}: ${write}`))]).toEqual([]);
  });
});
