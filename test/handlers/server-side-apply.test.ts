import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCbor } from '../../src/codec/cbor.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

interface Entry {
  manager: string;
  operation: string;
  apiVersion: string;
  subresource?: string;
  fieldsV1: unknown;
}
interface Shown {
  code?: number;
  message: string;
  metadata: {
    uid: string;
    resourceVersion: string;
    generation?: number;
    finalizers?: string[];
    ownerReferences?: { uid: string }[];
    managedFields?: Entry[];
  };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
  data?: Record<string, string>;
}
interface Answer {
  status: number;
  warning: string | null;
  object: Shown;
}

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

describe('apply', () => {
  let cluster: TestCluster;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster({ disableAdmissionPlugins: ['ServiceAccount'], controllers: ['-*'] });
  });
  afterAll(() => cluster.stop());

  const send = async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer> => {
    const response = await cluster.fetch(path, { method, body, headers: { 'content-type': type } });
    return {
      status: response.status,
      warning: response.headers.get('warning'),
      object: (await response.json()) as Shown,
    };
  };
  const at = (resource: string, name = '', api = '/api/v1'): string =>
    `${api}/namespaces/${namespace}/${resource}${name === '' ? '' : `/${name}`}`;
  const applyTo = (path: string, manager: string, body: unknown, more = '') =>
    send('PATCH', `${path}?fieldManager=${manager}${more}`, body, APPLY);
  const configMap = (metadata: object = {}, rest: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...metadata },
    ...rest,
  });
  const apply = (manager: string, metadata: object, rest: object = {}, more = '') =>
    applyTo(at('configmaps', 'a'), manager, configMap(metadata, rest), more);
  const owners = ({ object }: Answer) =>
    Object.fromEntries(
      (object.metadata.managedFields ?? []).map(({ manager, subresource = '', fieldsV1 }) => [
        `${manager} ${subresource}`.trim(),
        fieldsV1,
      ]),
    );
  const own = async () => {
    namespace = await cluster.createNamespace('apply');
  };

  it('checks version and uid as preconditions, and needs no name for an existing object', async () => {
    await own();
    const { object } = await apply('m', {}, { data: { a: '1' } });
    const { uid, resourceVersion } = object.metadata;
    expect(
      (await applyTo(at('configmaps', 'a'), 'm', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } }))
        .object.metadata.resourceVersion,
    ).toBe(resourceVersion);
    expect((await apply('m', { resourceVersion: '1' }, { data: { a: '1' } })).status).toBe(409);
    expect((await apply('m', { uid: 'other' }, { data: { a: '1' } })).object.message).toContain(
      'metadata.uid: Invalid value: "other": field is immutable',
    );
    const same = await apply(
      'm',
      { uid, resourceVersion, creationTimestamp: null, generation: 7 },
      { data: { a: '1' } },
    );
    expect([same.status, same.object.metadata.resourceVersion]).toEqual([200, resourceVersion]);
  });

  it('merges owners and finalizers of several managers, and removes only those of the manager', async () => {
    await own();
    const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid });
    await apply('one', { ownerReferences: [owner('1')], finalizers: ['a.example/x', 'a.example/y'] });
    const both = await apply('two', { ownerReferences: [owner('2')], finalizers: ['b.example/z'] });
    expect(both.object.metadata.ownerReferences!.map(({ uid }) => uid)).toEqual(['1', '2']);
    expect(both.object.metadata.finalizers).toEqual(['a.example/x', 'a.example/y', 'b.example/z']);
    for (const metadata of [
      { ownerReferences: [owner('3'), owner('3')] },
      { finalizers: ['a.example/x', 'a.example/x'] },
    ]) {
      const refused = await apply('two', metadata);
      expect([refused.status, refused.object.message.includes('duplicate entries for key')]).toEqual([
        400,
        true,
      ]);
    }
    const rest = await apply('one', {});
    expect(rest.object.metadata.ownerReferences!.map(({ uid }) => uid)).toEqual(['2']);
    expect(rest.object.metadata.finalizers).toEqual(['b.example/z']);
    expect(owners(rest)).toEqual({
      two: {
        'f:metadata': {
          'f:finalizers': { 'v:"b.example/z"': {} },
          'f:ownerReferences': { 'k:{"uid":"2"}': {} },
        },
      },
    });
  });

  it.each([
    ['POST', false],
    ['PUT', false],
    ['PATCH', true],
  ])('%s drops duplicate owner references and warns', async (method, afterAdmission) => {
    await own();
    const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid });
    const body = {
      metadata: { name: 'a', ownerReferences: [owner('1'), owner('2'), owner('1'), owner('2')] },
    };
    if (method !== 'POST') await send('POST', at('configmaps'), { metadata: { name: 'a' } });
    const answer = await send(
      method,
      at('configmaps', method === 'POST' ? '' : 'a'),
      body,
      method === 'PATCH' ? MERGE : undefined,
    );
    expect(answer.object.metadata.ownerReferences!.map(({ uid }) => uid)).toEqual(['1', '2']);
    expect(answer.warning).toBe(
      `299 - ".metadata.ownerReferences contains duplicate entries${afterAdmission ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1, 2"`,
    );
  });

  const container = (more: object) => ({ template: { spec: { containers: [{ name: 'c', ...more }] } } });
  const deployment = (spec: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec,
  });
  const whole = {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: [
          { name: 'c', image: 'i', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] },
        ],
      },
    },
  };
  const deploy = (manager: string, spec: object, more = '') =>
    applyTo(at('deployments', 'd', '/apis/apps/v1'), manager, deployment(spec), more);
  const portsOf = ({ object }: Answer) =>
    (object.spec['template'] as { spec: { containers: { ports: object[] }[] } }).spec.containers[0]!.ports;

  it('identifies ports by number and protocol, also with the default omitted', async () => {
    await own();
    await deploy('one', whole);
    const named = await deploy(
      'two',
      container({ ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }] }),
    );
    expect(portsOf(named)).toEqual([
      { name: 'web', containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'UDP' },
    ]);
    const twice = await deploy(
      'two',
      container({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
    );
    expect(twice.object.message).toContain(
      '.spec.template.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
    );
    expect(portsOf(await deploy('two', container({})))).toEqual([
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'UDP' },
    ]);
  });

  it('restores the default of a field that no manager applies', async () => {
    await own();
    await deploy('one', { ...whole, replicas: 5, strategy: { type: 'Recreate' } });
    const { object } = await deploy('one', whole);
    expect([object.spec['replicas'], object.spec['strategy']]).toEqual([
      1,
      { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    ]);
  });

  it.each([
    [
      'an item without its key',
      { template: { spec: { containers: [{ image: 'x' }] } } },
      422,
      'containers[1].name: Required value',
    ],
    [
      'a null item',
      { template: { spec: { containers: [null] } } },
      400,
      'element 0: associative list with keys may not have null element',
    ],
    [
      'a text item',
      { template: { spec: { containers: ['x'] } } },
      400,
      'associative list with keys may not have non-map elements',
    ],
    [
      'a duplicate variable',
      container({ env: [{ name: 'A' }, { name: 'A' }] }),
      400,
      'duplicate entries for key [name="A"]',
    ],
    ['a map for a list', container({ args: { a: 'b' } }), 400, '.args: expected list, got'],
  ])('rejects %s', async (_, spec, status, text) => {
    await own();
    await deploy('one', whole);
    const refused = await deploy('two', spec);
    expect({
      status: refused.status,
      text: refused.object.message.includes(text) ? text : refused.object.message,
    }).toEqual({ status, text });
  });

  it('allows duplicates in atomic lists and owns fields applied as null', async () => {
    await own();
    await deploy('one', whole);
    expect((await deploy('two', container({ args: ['a', 'a'] }))).status).toBe(200);
    expect(owners(await deploy('two', { replicas: null }))['two']).toEqual({
      'f:spec': { 'f:replicas': {} },
    });
  });

  it('separates the owners of status, scale and the main resource', async () => {
    await own();
    const path = at('deployments', 'd', '/apis/apps/v1');
    await deploy('one', { ...whole, replicas: 1 });
    expect(
      owners(await applyTo(path, 'status', { ...deployment({}), status: { replicas: 3 } }))['status'],
    ).toEqual({ 'f:spec': {} });
    const status = {
      ...deployment({ replicas: 9 }),
      status: { replicas: 3, conditions: [{ type: 'A', status: 'True' }] },
    };
    const reported = await applyTo(`${path}/status`, 'kubelet', status);
    expect([reported.object.spec['replicas'], reported.object.status['replicas']]).toEqual([1, 3]);
    expect(owners(reported)['kubelet status']).toEqual({
      'f:status': {
        'f:conditions': { 'k:{"type":"A"}': { '.': {}, 'f:status': {}, 'f:type': {} } },
        'f:replicas': {},
      },
    });
    expect(
      (
        await applyTo(at('deployments', 'none/status', '/apis/apps/v1'), 'kubelet', {
          ...status,
          metadata: { name: 'none' },
        })
      ).status,
    ).toBe(404);

    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd', namespace },
      spec: { replicas: 7 },
    };
    expect((await applyTo(`${path}/scale`, 'scaler', scale)).status).toBe(409);
    expect((await applyTo(`${path}/scale`, 'scaler', scale, '&force=true')).object.spec['replicas']).toBe(7);
    expect((await deploy('one', { ...whole, replicas: 1 })).object.message).toBe(
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale": .spec.replicas',
    );
  });

  it('compares the fields of an owner in the version of its entry', async () => {
    await own();
    const name = 'horizontalpodautoscalers';
    const v1 = (manager: string, spec: object, more = '') =>
      applyTo(
        at(name, 'h', '/apis/autoscaling/v1'),
        manager,
        { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' }, spec },
        more,
      );
    const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
    const metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ];
    await applyTo(at(name, 'h', '/apis/autoscaling/v2'), 'new', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 5, scaleTargetRef: target, metrics },
    });
    const refused = await v1('old', { maxReplicas: 5, targetCPUUtilizationPercentage: 60 });
    expect(refused.object.message).toBe('Apply failed with 1 conflict: conflict with "new": .spec.metrics');
    const forced = await v1('old', { maxReplicas: 5, targetCPUUtilizationPercentage: 60 }, '&force=true');
    expect(
      forced.object.metadata.managedFields!.map(({ manager, apiVersion }) => [manager, apiVersion]),
    ).toEqual([
      ['new', 'autoscaling/v2'],
      ['old', 'autoscaling/v1'],
    ]);
    // The same manager continues in the other version: fields that it applied before and omits now are
    // removed.
    const moved = await v1('new', { maxReplicas: 5, scaleTargetRef: target });
    expect(
      moved.object.metadata.managedFields!.map(({ manager, apiVersion }) => [manager, apiVersion]),
    ).toContainEqual(['new', 'autoscaling/v1']);
    expect(moved.object.spec['targetCPUUtilizationPercentage']).toBe(60);
  });

  it('changes nothing in a dry run, and returns the result', async () => {
    await own();
    expect((await apply('m', {}, { data: { a: '1' } }, '&dryRun=All')).status).toBe(201);
    expect((await send('GET', at('configmaps', 'a'))).status).toBe(404);
    const { object } = await apply('m', {}, { data: { a: '1' } });
    const dry = await apply('n', {}, { data: { a: '2' } }, '&dryRun=All&force=true');
    expect([dry.object.data, dry.object.metadata.resourceVersion]).toEqual([
      { a: '2' },
      object.metadata.resourceVersion,
    ]);
    expect(owners(dry)).toEqual({ n: { 'f:data': { 'f:a': {} } } });
    expect((await send('GET', at('configmaps', 'a'))).object).toEqual(object);
  });

  it.each([
    [
      'a manager that is too long',
      { manager: 'x'.repeat(129) },
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
    ],
    [
      'a manager with unprintable characters',
      { manager: 'x\u0007' },
      'metadata.managedFields[0].manager: Invalid value',
    ],
    [
      'a subresource that is too long',
      { subresource: 'x'.repeat(257) },
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
    [
      'an invalid time',
      { time: 'soon' },
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
  ])('rejects managedFields entries with %s', async (_, entry, text) => {
    await own();
    await apply('m', {}, { data: { a: '1' } });
    const managedFields = [
      {
        manager: 'x',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': {} },
        ...entry,
      },
    ];
    const refused = await send('PATCH', at('configmaps', 'a'), { metadata: { managedFields } }, MERGE);
    expect({
      status: refused.status,
      text: refused.object.message.includes(text) ? text : refused.object.message,
    }).toEqual({ status: 422, text });
  });

  it('merges the entries of updaters above ten, never those of appliers', async () => {
    await own();
    await apply('m', {}, { data: { a: '1' } });
    for (let index = 0; index < 13; index += 1) {
      await applyTo(
        at('configmaps', 'a'),
        `applier-${index}`,
        configMap({}, { data: { [`a${index}`]: 'x' } }),
      );
      await send(
        'PATCH',
        `${at('configmaps', 'a')}?fieldManager=updater-${index}`,
        { data: { [`u${index}`]: 'x' } },
        MERGE,
      );
    }
    const names = (await send('GET', at('configmaps', 'a'))).object.metadata.managedFields!.map(
      ({ manager, operation }) => `${operation} ${manager}`,
    );
    expect(names.filter((name) => name.startsWith('Apply'))).toHaveLength(14);
    expect(names.filter((name) => name.startsWith('Update'))).toHaveLength(10);
    expect(names).toContain('Update ancient-changes');
    expect(names).toContain('Update updater-12');
    expect(names).not.toContain('Update updater-0');
  });

  it.each([
    ['Strict', 400, null],
    ['Warn', 201, '299 - "line 4: key \\"b\\" already set in map"'],
    ['Ignore', 201, null],
  ])('handles duplicates by the validation level: %s', async (level, status, warning) => {
    await own();
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: "1", b: "2"}\n';
    const answer = await applyTo(at('configmaps', 'a'), 'm', body, `&fieldValidation=${level}`);
    expect([answer.status, answer.warning]).toEqual([status, warning]);
  });

  it('requires the feature gate for CBOR', async () => {
    await own();
    const body = writeCbor(configMap({}, { data: { a: '1' } }));
    const refused = await send(
      'PATCH',
      `${at('configmaps', 'a')}?fieldManager=m`,
      body,
      'application/apply-patch+cbor',
    );
    expect(refused.status).toBe(415);
    expect(refused.object.message).toBe('415: Unsupported Media Type');
  });
});
