import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdmissionPlugin, AdmissionRequest } from '../../src/request/admission.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const autoscalers = '/apis/autoscaling/v1/namespaces/n/horizontalpodautoscalers';
const pods = '/api/v1/namespaces/n/pods';
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const MERGE = 'application/merge-patch+json';

describe('an admission request', () => {
  let server: SmallServer;
  let admit: (request: AdmissionRequest) => void | Promise<void>;
  let requests: AdmissionRequest[];

  beforeEach(() => {
    requests = [];
    admit = () => undefined;
    const plugin: AdmissionPlugin = {
      name: 'Probe',
      handles: () => true,
      admit: (request) => admit(request),
      validate: (request) => void requests.push(request),
    };
    server = smallServer({ storage: createMemoryStorage(), plugins: [plugin] });
  });
  afterEach(() => server.close());

  const autoscaler = (name: string) => ({
    metadata: { name },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
  });

  it('offers its objects in every version of the kind', async () => {
    await server.send('POST', autoscalers, autoscaler('h'));
    await server.send('PATCH', `${autoscalers}/h`, { spec: { maxReplicas: 4 } }, MERGE);
    const [, request] = requests;
    expect(request!.kind).toEqual({ group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' });
    const first = await request!.inVersion('autoscaling/v1');
    expect(JSON.parse(first.object!.json())).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      spec: { maxReplicas: 4, targetCPUUtilizationPercentage: 80 },
    });
    const second = await request!.inVersion('autoscaling/v2');
    expect(second.object!.plain()).toMatchObject({
      apiVersion: 'autoscaling/v2',
      spec: { maxReplicas: 4, metrics: [{ type: 'Resource' }] },
    });
    expect(second.oldObject!.plain()).toMatchObject({ spec: { maxReplicas: 3 } });
    expect(await request!.inVersion('autoscaling/v2')).toBe(second);
    expect(() => request!.inVersion('autoscaling/v3')).toThrow(
      'no kind "HorizontalPodAutoscaler" is registered for version "autoscaling/v3"',
    );
  });

  it('is replaced by an object in another version, decoded and defaulted', async () => {
    const changes: boolean[] = [];
    admit = async (request) => {
      const plain = structuredClone((await request.inVersion('autoscaling/v2')).object!.plain());
      // The first one cuts off the fraction of the manager's time.
      changes.push(await request.replace('autoscaling/v2', plain));
      changes.push(await request.replace('autoscaling/v2', plain));
      Object.assign((plain as { spec: object }).spec, { minReplicas: 2, surprise: 1 });
      changes.push(await request.replace('autoscaling/v2', plain));
    };
    const { status, object } = await server.send('POST', autoscalers, autoscaler('h'));
    expect([status, object.spec.minReplicas, object.spec.surprise]).toEqual([201, 2, undefined]);
    expect(changes).toEqual([true, false, true]);
    admit = (request) => void request.replace('autoscaling/v1', { spec: { maxReplicas: 'many' } });
    expect((await server.send('POST', autoscalers, autoscaler('i'))).status).toBeGreaterThanOrEqual(400);
  });

  it('is replaced by a large object in steps', async () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'a value']));
    let iterations = 0;
    let isReplacing = true;
    const count = (): void => {
      iterations += 1;
      if (isReplacing) setImmediate(count);
    };
    admit = async (request) => {
      const plain = (await request.inVersion('v1')).object!.plain();
      // Each look at the clock takes a millisecond, the length of a turn.
      let now = Math.ceil(performance.now());
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
      setImmediate(count);
      await request.replace('v1', { ...plain, data: { ...data, more: 'b' } });
      isReplacing = false;
      clock.mockRestore();
    };
    const path = '/api/v1/namespaces/n/configmaps';
    const { status, object } = await server.send('POST', path, { metadata: { name: 'large' }, data });
    expect([status, object.data.more]).toEqual([201, 'b']);
    expect(iterations).toBeGreaterThanOrEqual(3);
  });

  it('has a Scale for the scale of a workload', async () => {
    const controllers = '/api/v1/namespaces/n/replicationcontrollers';
    const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
    await server.send('POST', controllers, { metadata: { name: 'r' }, spec: { replicas: 1, template } });
    admit = ({ object }) => {
      (object as { spec: { replicas: number } }).spec.replicas += 1;
    };
    const scaled = await server.send('PATCH', `${controllers}/r/scale`, { spec: { replicas: 5 } }, MERGE);
    expect([scaled.status, scaled.object.spec.replicas]).toEqual([200, 6]);
    const request = requests.at(-1)!;
    expect([request.kind.kind, request.resource.resource, request.subresource]).toEqual([
      'Scale',
      'replicationcontrollers',
      'scale',
    ]);
    const { object, oldObject } = await request.inVersion('autoscaling/v1');
    expect([object!.plain(), oldObject!.plain()]).toMatchObject([
      { kind: 'Scale', spec: { replicas: 6 } },
      { kind: 'Scale', spec: { replicas: 1 } },
    ]);
  });

  it('has the options of a connection, also to an absent object', async () => {
    expect((await server.send('GET', `${pods}/p/exec?command=ls&command=-l&tty=true`)).status).toBe(404);
    expect((await server.send('PUT', `${pods}/p/proxy/some/path/?x=y`)).status).toBe(404);
    expect((await server.send('GET', `${pods}/p/portforward?ports=80,443`)).status).toBe(404);
    expect((await server.send('GET', `${pods}/p/portforward?ports=x`)).status).toBe(400);
    const seen = await Promise.all(requests.map((request) => request.inVersion('v1')));
    expect(requests.map(({ operation, kind }) => `${operation} ${kind.kind}`)).toEqual([
      'CONNECT PodExecOptions',
      'CONNECT PodProxyOptions',
      'CONNECT PodPortForwardOptions',
    ]);
    expect(seen.map(({ object }) => JSON.parse(object!.json()))).toMatchObject([
      { kind: 'PodExecOptions', apiVersion: 'v1', tty: true, command: ['ls', '-l'] },
      { path: '/some/path/' },
      { ports: [80, 443] },
    ]);
    expect(requests.map(({ options }) => options)).toEqual([undefined, undefined, undefined]);
  });

  it('is made for reviews, and for each object of a collection without its name', async () => {
    const review = await server.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect([review.status, requests.at(-1)!.kind.kind]).toEqual([201, 'SelfSubjectReview']);
    await server.send('POST', autoscalers, autoscaler('h'));
    expect((await server.send('DELETE', autoscalers)).status).toBe(200);
    const { operation, name, oldObject } = requests.at(-1)!;
    expect([operation, name, oldObject!.metadata!.name]).toEqual(['DELETE', '', 'h']);
  });

  it('names the options of every kind of write as the reference does, and a generated name', async () => {
    await server.send('POST', `${autoscalers}?fieldValidation=Strict`, {
      ...autoscaler(''),
      metadata: { generateName: 'g-' },
    });
    await server.send('PATCH', `${autoscalers}/g-xxxxx`, { spec: { maxReplicas: 5 } }, MERGE);
    expect(requests.map(({ name, options }) => [name, options!.kind, options!.fieldValidation])).toEqual([
      ['g-xxxxx', 'CreateOptions', 'Strict'],
      ['g-xxxxx', 'UpdateOptions', undefined],
    ]);
  });
});
