import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredQuota } from '../../../src/admission/listers.ts';
import type { LimitedResource } from '../../../src/admission/plugin-configuration.ts';
import { resourceQuota } from '../../../src/admission/plugins/resource-quota.ts';
import type { ResourceQuota } from '../../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

type Amounts = Record<string, string>;

/** A store of quotas whose writes fail after a concurrent write. */
function quotas(...initial: { name: string; hard: Amounts; used?: Amounts; spec?: ResourceQuota['spec'] }[]) {
  const stored = new Map(
    initial.map(({ name, hard, used, spec }) => [
      name,
      { revision: 1, quota: { metadata: { name }, spec, status: { hard, used } } as ResourceQuota },
    ]),
  );
  const steal = { next: 0 };
  const list = (): StoredQuota[] =>
    [...stored].map(([name, { revision, quota }]) => ({
      quota,
      async updateUsed(used) {
        await Promise.resolve();
        const current = stored.get(name)!;
        if (steal.next > 0) {
          steal.next -= 1;
          current.revision += 1;
        }
        if (current.revision !== revision) return false;
        stored.set(name, { revision: revision + 1, quota: { ...quota, status: { ...quota.status, used } } });
        return true;
      },
    }));
  const options = { resourceQuotas: list, limitedResources: [], now: () => 0, resizesPods: false };
  const plugin = resourceQuota(options);
  const resizing = resourceQuota({ ...options, resizesPods: true });
  const limited = (...limitedResources: LimitedResource[]) => resourceQuota({ ...options, limitedResources });
  return { plugin, resizing, limited, steal, used: (name = 'q') => stored.get(name)!.quota.status!.used };
}

const create = (resource: string, object: KubernetesObject, more = {}) =>
  admissionRequest(resource, object, more);
const withCpu = (cpu: string) =>
  pod({ containers: [{ name: 'c', resources: { requests: { cpu }, limits: { cpu } } }] });

describe('resource quota', () => {
  it('charges requests within the quota and reports all exceeded resources', async () => {
    const { plugin, used } = quotas({
      name: 'q',
      hard: { pods: '5', 'requests.cpu': '1', 'limits.cpu': '1' },
      used: { pods: '1', 'requests.cpu': '500m', 'limits.cpu': '500m' },
    });
    await admitted(plugin, create('pods', withCpu('250m')));
    expect(used()).toEqual({ pods: '2', 'requests.cpu': '750m', 'limits.cpu': '750m' });
    await expect(admitted(plugin, create('pods', withCpu('2')))).rejects.toThrow(
      'pods "p" is forbidden: exceeded quota: q, requested: limits.cpu=2,requests.cpu=2, used: limits.cpu=750m,requests.cpu=750m, limited: limits.cpu=1,requests.cpu=1',
    );
    await expect(admitted(plugin, create('pods', pod()))).rejects.toThrow(
      'pods "p" is forbidden: failed quota: q: must specify limits.cpu for: c; requests.cpu for: c',
    );
    expect(used()).toEqual({ pods: '2', 'requests.cpu': '750m', 'limits.cpu': '750m' });
  });

  it('enforces but does not charge a dry run', async () => {
    const { plugin, used } = quotas({ name: 'q', hard: { secrets: '1' }, used: { secrets: '0' } });
    await admitted(plugin, create('secrets', { metadata: { name: 's' } }, { dryRun: true }));
    expect(used()).toEqual({ secrets: '0' });
    await admitted(plugin, create('secrets', { metadata: { name: 's' } }));
    await expect(
      admitted(plugin, create('secrets', { metadata: { name: 't' } }, { dryRun: true })),
    ).rejects.toThrow('exceeded quota: q');
  });

  it('rejects requests with unknown usage and ignores quotas without status', async () => {
    const unknown = quotas({ name: 'q', hard: { configmaps: '1' } });
    await expect(admitted(unknown.plugin, create('configmaps', { metadata: { name: 'c' } }))).rejects.toThrow(
      'status unknown for quota: q, resources: configmaps',
    );
    await admitted(unknown.plugin, create('secrets', { metadata: { name: 'c' } }));
    const fresh = quotas({ name: 'q', hard: {} });
    await admitted(fresh.plugin, create('configmaps', { metadata: { name: 'c' } }));
  });

  it('charges updates only for increases', async () => {
    const { plugin, used } = quotas({
      name: 'q',
      hard: { 'services.nodeports': '3', 'requests.storage': '10Gi' },
      used: { 'services.nodeports': '1', 'requests.storage': '5Gi' },
    });
    const service = (type: string, ports: number) => ({
      metadata: { name: 's' },
      spec: { type, ports: Array.from({ length: ports }, () => ({ port: 1 })) },
    });
    await admitted(
      plugin,
      create('services', service('NodePort', 3), { operation: 'UPDATE', oldObject: service('NodePort', 1) }),
    );
    await admitted(
      plugin,
      create('services', service('ClusterIP', 3), { operation: 'UPDATE', oldObject: service('NodePort', 3) }),
    );
    const claim = (storage: string) => ({
      metadata: { name: 'c' },
      spec: { resources: { requests: { storage } } },
    });
    await admitted(
      plugin,
      create('persistentvolumeclaims', claim('9Gi'), { operation: 'UPDATE', oldObject: claim('4Gi') }),
    );
    expect(used()).toEqual({ 'services.nodeports': '3', 'requests.storage': '10Gi' });
  });

  it('charges a resize for what it adds, and requires the resources of the quota', async () => {
    const { plugin, used } = quotas({
      name: 'q',
      hard: { 'requests.cpu': '2', pods: '1' },
      used: { 'requests.cpu': '1', pods: '1' },
    });
    const to = (object: KubernetesObject, more = {}) =>
      admitted(
        plugin,
        create('pods', object, {
          operation: 'UPDATE',
          subresource: 'resize',
          oldObject: withCpu('1'),
          ...more,
        }),
      );
    await to(withCpu('1500m'));
    await to(withCpu('500m'));
    await to(withCpu('9'), { subresource: '' });
    await to(withCpu('9'), { subresource: 'status' });
    expect(used()).toEqual({ 'requests.cpu': '1500m', pods: '1' });
    await expect(to(withCpu('2'))).rejects.toThrow(
      'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=1500m, limited: requests.cpu=2',
    );
    await expect(to(pod())).rejects.toThrow('failed quota: q: must specify requests.cpu for: c');
  });

  it('counts the resources in the status of pods that can be resized', async () => {
    const reported = {
      ...withCpu('1'),
      status: { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } } }] },
    };
    const charged = async (resizesPods: boolean) => {
      const { plugin, resizing, used } = quotas({
        name: 'q',
        hard: { 'requests.cpu': '9' },
        used: { 'requests.cpu': '0' },
      });
      await admitted(resizesPods ? resizing : plugin, create('pods', reported));
      return used();
    };
    expect(await charged(false)).toEqual({ 'requests.cpu': '1' });
    expect(await charged(true)).toEqual({ 'requests.cpu': '2' });
  });

  it('counts objects in its scopes, and other groups by resource name', async () => {
    const scoped = quotas({
      name: 'q',
      hard: { pods: '0' },
      used: { pods: '0' },
      spec: { scopes: ['NotBestEffort'] },
    });
    await admitted(scoped.plugin, create('pods', pod()));
    await expect(admitted(scoped.plugin, create('pods', withCpu('1')))).rejects.toThrow('exceeded quota');
    // The status says it first.
    await admitted(scoped.plugin, create('pods', { ...withCpu('1'), status: { qosClass: 'BestEffort' } }));
    const deployments = quotas({
      name: 'q',
      hard: { 'count/deployments.apps': '0' },
      used: { 'count/deployments.apps': '0' },
    });
    const request = create(
      'deployments',
      { metadata: { name: 'd' } },
      { resource: { group: 'apps', version: 'v1', resource: 'deployments' } },
    );
    await expect(admitted(deployments.plugin, request)).rejects.toThrow(
      'requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    );
  });

  it('charges no quota when another one is exceeded', async () => {
    const { plugin, used } = quotas(
      { name: 'a', hard: { secrets: '9' }, used: { secrets: '0' } },
      { name: 'b', hard: { secrets: '0' }, used: { secrets: '0' } },
    );
    await expect(admitted(plugin, create('secrets', { metadata: { name: 's' } }))).rejects.toThrow(
      'exceeded quota: b',
    );
    expect(used('a')).toEqual({ secrets: '0' });
  });

  it('is never exceeded by concurrent requests and writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }),
        fc.integer({ min: 0, max: 8 }),
        async (amounts, stolen) => {
          const { plugin, used, steal } = quotas(
            { name: 'q', hard: { 'requests.cpu': '200m' }, used: { 'requests.cpu': '0' } },
            { name: 'r', hard: { pods: '7' }, used: { pods: '0' } },
          );
          steal.next = stolen;
          const results = await Promise.allSettled(
            amounts.map((amount) => admitted(plugin, create('pods', withCpu(`${amount}m`)))),
          );
          const entered = amounts.filter((_, index) => results[index]!.status === 'fulfilled');
          const total = entered.reduce((sum, amount) => sum + amount, 0);
          expect(total).toBeLessThanOrEqual(200);
          expect(entered.length).toBeLessThanOrEqual(7);
          expect(used('r')).toEqual({ pods: String(entered.length) });
          expect(used()).toEqual({ 'requests.cpu': total === 0 ? '0' : `${total}m` });
        },
      ),
    );
  });
});

describe('limited resources', () => {
  const rule = (changes: Partial<LimitedResource>): LimitedResource => ({
    group: '',
    resource: 'pods',
    matchContains: [],
    matchScopes: [],
    ...changes,
  });
  const balancer = { metadata: { name: 's' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } };
  const services = rule({ resource: 'services', matchContains: ['services.loadbalancers'] });
  const precious = rule({
    matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high', 'higher'] }],
  });

  it('rejects consumption that no quota covers', async () => {
    const none = quotas().limited(services);
    await expect(admitted(none, create('services', balancer))).rejects.toThrow(
      'services "s" is forbidden: insufficient quota to consume: services.loadbalancers',
    );
    await admitted(none, create('services', { metadata: { name: 's' }, spec: { type: 'ClusterIP' } }));
    await admitted(none, create('configmaps', { metadata: { name: 'a' } }));
    const { limited, used } = quotas({
      name: 'q',
      hard: { 'services.loadbalancers': '1' },
      used: { 'services.loadbalancers': '0' },
    });
    await admitted(limited(services), create('services', balancer));
    expect(used()).toEqual({ 'services.loadbalancers': '1' });
  });

  it('rejects scopes that no quota covers with a 500', async () => {
    const important = pod({ priorityClassName: 'high' });
    await expect(admitted(quotas().limited(precious), create('pods', important))).rejects.toMatchObject({
      code: 500,
      reason: '',
      message: 'insufficient quota to match these scopes: [{PriorityClass In [high higher]}]',
    });
    await admitted(quotas().limited(precious), create('pods', pod()));
    const { limited } = quotas({
      name: 'q',
      hard: { pods: '5' },
      used: { pods: '0' },
      spec: {
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    });
    await admitted(limited(precious), create('pods', important));
    await expect(
      admitted(limited(precious), create('pods', pod({ priorityClassName: 'higher' }))),
    ).rejects.toThrow('insufficient quota to match these scopes');
  });

  it('names all resources of a quota whose usage is unknown', async () => {
    const { plugin } = quotas({
      name: 'q',
      hard: { pods: '5', 'requests.cpu': '1', secrets: '1' },
      used: {},
    });
    await expect(admitted(plugin, create('pods', withCpu('1')))).rejects.toThrow(
      'pods "p" is forbidden: status unknown for quota: q, resources: pods,requests.cpu',
    );
  });
});
