import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { answer, configure, patching, webhook } from '../admission/webhook/support.ts';
import { Servers } from '../outbound/servers.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1alpha1';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

// biome-ignore lint/suspicious/noExplicitAny: any object
type Body = any;
interface Answer {
  readonly status: number;
  readonly body: Body;
}

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({
    controllers: ['-*'],
    featureGates: ['MutatingAdmissionPolicy=true'],
    runtimeConfig: ['admissionregistration.k8s.io/v1alpha1=true'],
  });
});
afterAll(() => cluster.stop());

async function send(method: string, path: string, body: object, type = 'application/json'): Promise<Answer> {
  const answered = await cluster.fetch(path, { method, headers: { 'content-type': type }, body });
  return { status: answered.status, body: answered.status === 404 ? undefined : await answered.json() };
}
const post = (path: string, body: object) => send('POST', path, body);

const apply = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const RESOURCES = [
  { apiGroups: ['', 'apps', 'autoscaling'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
];

/** Creates a policy on objects with the label `policy: name`, and its binding; waits for them. */
async function enforce(name: string, spec: object, binding: object = {}): Promise<void> {
  const matchConstraints = {
    objectSelector: { matchLabels: { policy: name } },
    resourceRules: RESOURCES.map((rule) => ({ ...rule, operations: ['CREATE', 'UPDATE'] })),
  };
  const created = [
    await post(`${GROUP}/mutatingadmissionpolicies`, {
      metadata: { name },
      spec: { matchConstraints, reinvocationPolicy: 'Never', ...spec },
    }),
    await post(`${GROUP}/mutatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, ...binding },
    }),
  ];
  expect(created.map(({ status, body }) => (status === 201 ? '' : body.message))).toEqual(['', '']);
  await post(`${GROUP}/mutatingadmissionpolicies`, {
    metadata: { name: `after-${name}` },
    spec: {
      matchConstraints,
      reinvocationPolicy: 'Never',
      mutations: [apply("Object{metadata: Object.metadata{annotations: {'in-force': 'yes'}}}")],
    },
  });
  await post(`${GROUP}/mutatingadmissionpolicybindings`, {
    metadata: { name: `after-${name}` },
    spec: {
      policyName: `after-${name}`,
      matchResources: { objectSelector: { matchLabels: { wait: 'yes' } } },
    },
  });
  const labels = { policy: name, wait: 'yes' };
  for (;;) {
    const { status, body } = await post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'w', labels } });
    if (status !== 201 || body.metadata.annotations?.['in-force'] === 'yes') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const configMap = (policy: string, data: object = { mine: '1' }) =>
  post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'x', labels: { policy } }, data });

const deployment = (policy: string, spec: object = {}) => ({
  metadata: { name: 'd', labels: { policy } },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'one', image: 'i', env: [{ name: 'E', value: '1' }] }] },
    },
    ...spec,
  },
});
const deploy = (policy: string, spec?: object) => post(`${DEPLOYMENTS}?dryRun=All`, deployment(policy, spec));
/** The text of a denial behind the names of the policy and binding. */
const textOf = ({ body }: Answer): string => body.message?.split('denied request: ')[1] ?? body.message;

describe('apply configurations', () => {
  const container = 'Object.spec.template.spec.containers';
  const inPod = (members: string) =>
    apply(
      `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${members}}}}}`,
    );

  test('merge maps by member and lists by key', async () => {
    await enforce('merging', {
      mutations: [
        inPod(
          `containers: [${container}{name: 'two', image: 'j'}, ${container}{name: 'one', env: [${container}.env{name: 'F', value: 'f'}]}], terminationGracePeriodSeconds: 5`,
        ),
        apply('Object{spec: Object.spec{replicas: object.spec.template.spec.containers.size() + 1}}'),
        apply(
          "Object{metadata: Object.metadata{?labels: optional.of({'n': 'm'}), ?annotations: optional.none()}}",
        ),
      ],
    });
    const { body } = await deploy('merging');
    expect(body.message).toBeUndefined();
    const { containers, terminationGracePeriodSeconds } = body.spec.template.spec;
    expect(containers.map(({ name, image }: Body) => [name, image])).toEqual([
      ['two', 'j'],
      ['one', 'i'],
    ]);
    expect(containers[1].env).toEqual([
      { name: 'E', value: '1' },
      { name: 'F', value: 'f' },
    ]);
    expect(containers[0].imagePullPolicy).toBe('Always');
    expect(terminationGracePeriodSeconds).toBe(5);
    expect(body.spec.replicas).toBe(3);
    expect(body.metadata.labels).toEqual({ policy: 'merging', n: 'm' });
  });

  test.each([
    [
      'atomic-map',
      apply("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'l': 'v'}}}}"),
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector',
    ],
    [
      'atomic-lists',
      inPod(`containers: [${container}{name: 'one', args: ['a']}], tolerations: []`),
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.template.spec.containers[0].args, .spec.template.spec.tolerations',
    ],
    [
      'wrong-type-name',
      apply('Object{spec: Object.specx{replicas: 1}}'),
      'type mismatch: unexpected type name "Object.specx", expected "Object.spec", which matches field name path from root Object type',
    ],
    [
      'unknown-field',
      apply('Object{spec: Object.spec{replicasx: 1}}'),
      'error applying patch: failed to convert patch object to typed object: .spec.replicasx: field not declared in schema',
    ],
    [
      'wrong-type',
      apply("Object{spec: Object.spec{replicas: 'many'}}"),
      'error applying patch: failed to convert patch object to typed object: .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'costly',
      apply(
        'Object{spec: Object.spec{replicas: [1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, e + d + c + b + a))))).size()}}',
      ),
      'operation cancelled: actual cost limit exceeded',
    ],
  ])('are refused: %s', async (name, mutation, text) => {
    await enforce(name, { mutations: [mutation] });
    const refused = await deploy(name);
    expect(textOf(refused)).toContain(text);
    expect(refused).toMatchObject({ status: 403, body: { reason: 'Invalid', details: { name: 'd' } } });
  });
});

describe('JSON patches', () => {
  test('set values of any kind, with typed objects', async () => {
    await enforce('setting', {
      mutations: [
        patch(
          "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'two', image: 'j'}}, JSONPatch{op: 'replace', path: '/spec/replicas', value: 4}]",
        ),
        patch(
          "has(object.metadata.annotations) ? [JSONPatch{op: 'remove', path: '/metadata/annotations'}] : []",
        ),
        patch(
          "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}, JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('example.com/a'), value: 'x'}]",
        ),
      ],
    });
    const { body } = await deploy('setting');
    expect(body.message).toBeUndefined();
    expect(body.spec.replicas).toBe(4);
    expect(body.spec.template.spec.containers[1].name).toBe('two');
    expect(body.metadata.annotations).toEqual({ 'example.com/a': 'x' });
  });

  test.each([
    [
      'kind',
      "JSONPatch{op: 'replace', path: '/kind', value: 'Secret'}",
      500,
      'no kind "Secret" is registered',
    ],
    [
      'unknown',
      "JSONPatch{op: 'add', path: '/datum', value: 'x'}",
      500,
      'strict decoding error: unknown field "datum"',
    ],
    ['type', "JSONPatch{op: 'replace', path: '/data', value: 'x'}", 500, 'cannot unmarshal string'],
    ['op', "JSONPatch{op: 'merge', path: '/data', value: 'x'}", 403, 'JSON Patch: Unexpected kind: merge'],
    [
      'dynamic',
      "JSONPatch{op: dyn(1), path: '/data'}",
      403,
      "unexpected type int for JSONPatchType 'op' field",
    ],
  ])('that cannot be applied: %s', async (name, operation, status, text) => {
    await enforce(`patch-${name}`, { mutations: [patch(`[${operation}]`)] });
    const refused = await configMap(`patch-${name}`);
    expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(text)]);
  });
});

describe('evaluation', () => {
  test('a failure does not stop the next mutations; Ignore keeps them, Fail denies with all causes', async () => {
    const mutations = [apply("Object{data: {'x': object.data.absent}}"), apply("Object{data: {'y': 'y'}}")];
    await enforce('ignoring', { failurePolicy: 'Ignore', mutations });
    expect((await configMap('ignoring')).body.data).toEqual({ mine: '1', y: 'y' });
    await enforce('failing', { mutations: [mutations[0], mutations[0]] });
    expect((await configMap('failing')).body.details.causes).toHaveLength(2);
  });

  test('variables are evaluated for each mutation, parameters and conditions apply', async () => {
    await post(CONFIG_MAPS, { metadata: { name: 'param-a', labels: { p: 'y' } }, data: { key: 'a' } });
    await post(CONFIG_MAPS, { metadata: { name: 'param-b', labels: { p: 'y' } }, data: { key: 'b' } });
    await enforce(
      'composed',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'size', expression: 'object.data.size()' }],
        matchConditions: [
          {
            name: 'c',
            expression: "!has(object.data.b) && params.data.key != 'z' && request.operation == 'CREATE'",
          },
        ],
        mutations: [
          patch("[JSONPatch{op: 'add', path: '/data/' + params.data.key, value: string(variables.size)}]"),
          apply(
            "Object{data: {params.data.key + '2': string(variables.size) + namespaceObject.metadata.name}}",
          ),
        ],
      },
      { paramRef: { selector: { matchLabels: { p: 'y' } }, parameterNotFoundAction: 'Deny' } },
    );
    expect((await configMap('composed')).body.data).toEqual({
      mine: '1',
      a: '1',
      a2: '2default',
      b: '3',
      b2: '4default',
    });
  });

  test('configuration errors are Forbidden', async () => {
    await enforce(
      'unbound',
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [apply('Object{}')] },
      { paramRef: { name: 'absent', parameterNotFoundAction: 'Deny' } },
    );
    const refused = await configMap('unbound');
    const message =
      "policy 'unbound' with binding 'unbound' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    expect(refused).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message,
        details: { name: 'x', kind: 'configmaps', causes: [{ message }] },
      },
    });
    await enforce('unknown-kind', {
      paramKind: { apiVersion: 'example.com/v1', kind: 'None' },
      mutations: [apply('Object{}')],
    });
    expect((await configMap('unknown-kind')).body.message).toBe(
      'policy "unknown-kind" denied request: failed to configure policy: failed to find resource referenced by paramKind: \'example.com/v1, Kind=None\'',
    );
  });

  test('updates, patches, applies and scales are mutated, with the managers of the request', async () => {
    await enforce('updating', {
      mutations: [
        apply(
          "Object{metadata: Object.metadata{annotations: {'op': request.operation + request.?subResource.orValue('')}}}",
        ),
      ],
    });
    const created = await post(`${DEPLOYMENTS}?fieldManager=m`, deployment('updating'));
    expect(created.body.metadata.annotations).toEqual({ op: 'CREATE' });
    const merge = 'application/merge-patch+json';
    const path = `${DEPLOYMENTS}/d`;
    const patched = await send('PATCH', path, { spec: { replicas: 2 } }, merge);
    expect(patched.body.metadata.annotations).toMatchObject({ op: 'UPDATE' });
    const status = await send('PATCH', `${path}/status`, { status: { replicas: 1 } }, merge);
    expect(status.body.metadata.annotations.op).toBe('UPDATEstatus');
    const scaled = await send('PATCH', `${path}/scale`, { spec: { replicas: 3 } }, merge);
    expect(scaled.status).toBe(200);
    const owned = JSON.stringify(created.body.metadata.managedFields[0].fieldsV1);
    expect(owned).not.toContain('f:annotations');
  });

  test('labels that a policy adds select no other policy in the same round', async () => {
    await enforce('a-labels', {
      mutations: [apply("Object{metadata: Object.metadata{labels: {'policy': 'b-labelled'}}}")],
    });
    await enforce('b-labelled', { mutations: [apply("Object{data: {'never': 'x'}}")] });
    const { body } = await configMap('a-labels');
    expect(body.metadata.labels.policy).toBe('b-labelled');
    // The second round matches the changed object, but runs nothing that the first did not run.
    expect(body.data).toEqual({ mine: '1' });
  });

  test('IfNeeded policies run once more after a webhook that runs behind them', async () => {
    const servers = new Servers();
    try {
      const port = await servers.https((incoming, outgoing) => {
        void answer(incoming, outgoing, (asked) =>
          patching({ op: 'add', path: '/data/hook', value: Object.keys(asked.object.data).sort().join() }),
        );
      });
      const append = (key: string) =>
        apply(`Object{data: {'${key}': object.data.?${key}.orValue('') + 'x'}}`);
      await enforce('counting', { reinvocationPolicy: 'IfNeeded', mutations: [append('again')] });
      await enforce('counted', { mutations: [append('once')] });
      await configure(
        cluster,
        'Mutating',
        'm',
        webhook(port, {
          objectSelector: {
            matchExpressions: [{ key: 'policy', operator: 'In', values: ['counting', 'counted'] }],
          },
        }),
      );
      expect((await configMap('counting')).body.data).toEqual({ mine: '1', again: 'xx', hook: 'again,mine' });
      expect((await configMap('counted')).body.data).toEqual({ mine: '1', once: 'x', hook: 'mine,once' });
    } finally {
      await cluster.fetch('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/m', {
        method: 'DELETE',
      });
      await servers.close();
    }
  });
});

test('many mutations of a large object leave the event loop to others', async () => {
  await enforce('large', {
    mutations: Array.from({ length: 12 }, (_, index) => apply(`Object{data: {'added-${index}': 'x'}}`)),
  });
  const data = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, 'value '.repeat(4)]),
  );
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const { body } = await configMap('large', data);
  clearInterval(timer);
  expect(Object.keys(body.data)).toHaveLength(20_012);
  expect(turns).toBeGreaterThanOrEqual(12);
});

test('objects of custom kinds are merged by their schema', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    list,
                    set: { ...list, 'x-kubernetes-list-type': 'set' },
                    size: { type: 'integer', default: 5 },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const matchConstraints = {
    resourceRules: [
      { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] },
    ],
  };
  const mutation = (list: string) =>
    apply(`Object{spec: Object.spec{${list}: [string('b'), string(object.metadata.name)]}}`);
  const thing = (name: string) =>
    post('/apis/example.com/v1/things?dryRun=All', {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name },
      spec: { set: ['a', 'b'] },
    });
  while ((await thing('x')).status !== 201) await new Promise((resolve) => setImmediate(resolve));
  await enforce('custom', {
    matchConstraints,
    matchConditions: [{ name: 'c', expression: "object.metadata.name != 'bad'" }],
    mutations: [mutation('set')],
  });
  expect((await thing('c')).body.spec).toEqual({ set: ['a', 'b', 'c'], size: 5 });
  await enforce('custom-atomic', {
    matchConstraints,
    matchConditions: [{ name: 'c', expression: "object.metadata.name == 'bad'" }],
    mutations: [mutation('list')],
  });
  expect(textOf(await thing('bad'))).toContain('may not mutate atomic arrays, maps or structs: .spec.list');
});
