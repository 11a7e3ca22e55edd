import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../../src/model/generated/autoscaling-v2.ts';
import type { ClusterRole } from '../../../src/model/generated/rbac-v1.ts';
import { WorkloadCluster, workload } from '../workload-cluster.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:horizontal-pod-autoscaler';
const CPU = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
];

/** The template of Pods on a simulated node that use some of a processor. */
const template = (app: string, usage: string | undefined, requests?: object) => ({
  metadata: { labels: { app }, ...(usage && { annotations: { 'kwok.x-k8s.io/usage-cpu': usage } }) },
  spec: { containers: [{ name: 'main', image: 'app:1', ...(requests && { resources: { requests } }) }] },
});

const conditionsOf = ({ status }: HorizontalPodAutoscaler): string[] =>
  (status?.conditions ?? []).map(({ type, status: isSo, reason }) => `${type} ${isSo} ${reason}`);

describe('the controller of HorizontalPodAutoscalers', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start({
      horizontalPodAutoscalerSyncPeriod: 100,
      horizontalPodAutoscalerDownscaleStabilization: 500,
      horizontalPodAutoscalerInitialReadinessDelay: 0,
      horizontalPodAutoscalerCpuInitializationPeriod: 0,
    });
  });
  afterAll(() => cluster.cluster.stop());

  const path = (name = ''): string =>
    `/apis/autoscaling/v2/namespaces/${cluster.namespace}/horizontalpodautoscalers${name && `/${name}`}`;
  const create = (name: string, spec: object = {}) =>
    cluster.api.call('POST', path(), {
      metadata: { name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        maxReplicas: 4,
        metrics: CPU,
        ...spec,
      },
    });
  const deploy = (
    name: string,
    usage: string | undefined,
    replicas = 1,
    requests: object = { cpu: '100m' },
  ) =>
    cluster.api.call(
      'POST',
      cluster.apps('deployments'),
      workload(name, { replicas, template: template(name, usage, requests) }),
    );
  const until = (name: string, isSo: (autoscaler: HorizontalPodAutoscaler) => boolean) =>
    cluster.until<HorizontalPodAutoscaler>(path(name), isSo);

  it('adds Pods by what simulated ones use, and removes them when they use less', async () => {
    await deploy('web', '100m');
    // Events of one object are bounded: failures before the Pod runs must not use them up.
    await cluster.deployment('web', (one) => one.status?.availableReplicas === 1);
    await create('web');
    const { status } = await until('web', (one) =>
      conditionsOf(one).includes('ScalingLimited True TooManyReplicas'),
    );
    expect(status).toMatchObject({
      desiredReplicas: 4,
      currentMetrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', current: { averageUtilization: 100, averageValue: '100m' } },
        },
      ],
    });
    const above = 'cpu resource utilization (percentage of request) above target';
    await cluster.events('web', `; reason: ${above}`);
    await cluster.deployment('web', (one) => one.status?.availableReplicas === 4);
    await cluster.api.merge(cluster.apps('deployments/web'), {
      spec: { template: { metadata: { annotations: { 'kwok.x-k8s.io/usage-cpu': '10m' } } } },
    });
    await cluster.events('web', '; reason: All metrics below target');
    await cluster.deployment('web', (one) => one.spec?.replicas === 1);
  });

  it.each([
    [
      'absent',
      'AbleToScale False FailedGetScale',
      'FailedGetScale: deployments/scale.apps "absent" not found',
    ],
    [
      'silent',
      'ScalingActive False FailedGetResourceMetric',
      'no metrics returned from resource metrics API',
    ],
    [
      'unasked',
      'ScalingActive False FailedGetResourceMetric',
      'missing request for cpu in container main of Pod unasked-',
    ],
    ['idle', 'ScalingActive False ScalingDisabled', ''],
  ])('says why it cannot scale %s', async (name, condition, event) => {
    if (name === 'silent') await deploy(name, undefined);
    if (name === 'unasked') await deploy(name, '10m', 1, {});
    if (name === 'idle') await deploy(name, '10m', 0);
    await create(name);
    await until(name, (one) => conditionsOf(one).includes(condition));
    if (event !== '') await cluster.events(name, event);
  });

  it('says that two autoscalers count the same Pods', async () => {
    await deploy('shared', '50m');
    await create('shared');
    await create('other', { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shared' } });
    await until('other', (one) => conditionsOf(one).includes('ScalingActive False AmbiguousSelector'));
    await cluster.events(
      'other',
      'AmbiguousSelector: pods by selector app=shared are controlled by multiple HPAs: [{',
    );
  });

  it('says that no extension server has custom and external metrics', async () => {
    await deploy('custom', '50m');
    const target = { type: 'AverageValue', averageValue: '1' };
    await create('custom', {
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'requests' }, target } },
        { type: 'External', external: { metric: { name: 'queue' }, target } },
      ],
    });
    await cluster.events(
      'custom',
      'FailedGetPodsMetric: unable to get metric requests: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
    );
    const external = `unable to get external metric ${cluster.namespace}/queue/nil: unable to fetch metrics from external metrics API`;
    await cluster.events('custom', `FailedGetExternalMetric: ${external}`);
    await cluster.events(
      'custom',
      'FailedComputeMetricsReplicas: invalid metrics (2 invalid out of 2), first error is: failed to get pods metric value',
    );
  });

  it('may do what the bootstrap role of its service account says', async () => {
    const { api } = cluster;
    const role = (await api.call('GET', ROLE)) as unknown as ClusterRole;
    const rules = role.rules!.map((rule) =>
      rule.resources!.includes('*/scale') ? { ...rule, verbs: ['get'] } : rule,
    );
    await api.merge(ROLE, { rules });
    await deploy('refused', '100m');
    await create('refused');
    const message = `deployments.apps "refused" is forbidden: User "system:serviceaccount:kube-system:horizontal-pod-autoscaler" cannot update resource "deployments/scale" in API group "apps" in the namespace "${cluster.namespace}"`;
    await until('refused', (one) => conditionsOf(one).includes('AbleToScale False FailedUpdateScale'));
    await cluster.events('refused', `error: ${message}`);
    await api.merge(ROLE, { rules: role.rules });
    await until('refused', (one) => one.status?.lastScaleTime !== undefined);
  });
});
