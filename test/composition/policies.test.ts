import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'] });
});
afterAll(() => cluster.stop());

interface Answer {
  readonly status: number;
  readonly warnings: string;
  readonly body: { readonly message?: string };
}

async function post(path: string, body: object): Promise<Answer> {
  const answer = await cluster.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const warnings = answer.headers.get('warning') ?? '';
  return { status: answer.status, warnings, body: (await answer.json()) as Answer['body'] };
}

/** Repeats a request until the condition holds: policies follow their writes. */
async function until(send: () => Promise<Answer>, holds: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (holds(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Creates a policy on config maps with the label `policy: name`, and its binding. */
async function enforce(name: string, spec: object, binding: object): Promise<void> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const constraints = { objectSelector: { matchLabels: { policy: name } }, resourceRules: [rule] };
  const created = [
    await post(`${GROUP}/validatingadmissionpolicies`, {
      metadata: { name },
      spec: { matchConstraints: constraints, ...spec },
    }),
    await post(`${GROUP}/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    }),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
}

const subject = (policy: string, data: object = {}) =>
  post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'x', labels: { policy } }, data });

const textOf = ({ body }: Answer): string => body.message?.split('denied request: ')[1] ?? '';

test('parameters are objects of any kind, read by name and by selector as they are now', async () => {
  const limit = (name: string, maximum: string, labels = {}) =>
    post(CONFIG_MAPS, { metadata: { name, labels }, data: { maximum } });
  await limit('one', '1', { limit: 'yes' });
  await enforce(
    'sized',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        {
          expression: 'object.data.size() <= int(params.data.maximum)',
          messageExpression:
            "params.kind + ' ' + params.metadata.name + ' ' + params.metadata.resourceVersion",
        },
      ],
    },
    { paramRef: { selector: { matchLabels: { limit: 'yes' } }, parameterNotFoundAction: 'Deny' } },
  );
  const many = { a: '', b: '' };
  const denied = await until(
    () => subject('sized', many),
    ({ status }) => status === 422,
  );
  expect(textOf(denied)).toMatch(/^ConfigMap one \d+$/);
  expect((await subject('sized', { a: '' })).status).toBe(201);
  await limit('another', '0', { limit: 'yes' });
  expect(textOf(await subject('sized', { a: '' }))).toMatch(/^ConfigMap another \d+$/);
});

test('a kind of parameters is found as soon as it is served', async () => {
  await enforce(
    'defined',
    {
      paramKind: { apiVersion: 'policies.example.com/v1', kind: 'Limit' },
      validations: [{ expression: 'object.data.size() <= params.spec.maximum' }],
    },
    { paramRef: { name: 'strict', parameterNotFoundAction: 'Allow' } },
  );
  const unknown = await until(
    () => subject('defined'),
    ({ status }) => status === 422,
  );
  expect(textOf(unknown)).toBe(
    "failed to configure policy: failed to find resource referenced by paramKind: 'policies.example.com/v1, Kind=Limit'",
  );
  const integer = { type: 'object', properties: { maximum: { type: 'integer' } } };
  const definition = {
    metadata: { name: 'limits.policies.example.com' },
    spec: {
      group: 'policies.example.com',
      scope: 'Namespaced',
      names: { plural: 'limits', kind: 'Limit' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: integer } } },
        },
      ],
    },
  };
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await until(
    () => subject('defined'),
    ({ status }) => status === 201,
  );
  const created = await post('/apis/policies.example.com/v1/namespaces/default/limits', {
    apiVersion: 'policies.example.com/v1',
    kind: 'Limit',
    metadata: { name: 'strict' },
    spec: { maximum: 1 },
  });
  expect(created.status).toBe(201);
  expect((await subject('defined', { a: '' })).status).toBe(201);
  expect((await subject('defined', { a: '', b: '' })).status).toBe(422);
});

test('the namespace object and metrics', async () => {
  await enforce(
    'told',
    {
      validations: [
        {
          expression: 'false',
          messageExpression:
            "namespaceObject.metadata.name + ' ' + string(has(namespaceObject.metadata.resourceVersion)) + ' ' + namespaceObject.status.phase",
        },
      ],
    },
    { validationActions: ['Warn'] },
  );
  const { warnings } = await until(
    () => subject('told'),
    ({ warnings }) => warnings !== '',
  );
  expect(warnings).toContain("with binding 'told': default true Active");
  const metrics = await (await cluster.fetch('/metrics')).text();
  expect(metrics).toContain(
    'apiserver_validating_admission_policy_check_total{enforcement_action="warn",error_type="invalid_error",policy="told",policy_binding="told"} 1',
  );
  expect(metrics).toMatch(/^apiserver_cel_compilation_duration_seconds_count [1-9]/m);
  expect(metrics).toMatch(/^apiserver_cel_evaluation_duration_seconds_count [1-9]/m);
});

test('actions are seen with their defaults and the owners of their fields', async () => {
  const name = 'actions';
  await post(`${GROUP}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['serviceaccounts/token', 'pods/binding'],
          },
        ],
      },
      validations: [
        {
          expression: 'false',
          messageExpression:
            "request.kind.kind + ' ' + string(object.?spec.expirationSeconds.orValue(0)) + ' ' + object.metadata.managedFields[0].subresource",
        },
      ],
    },
  });
  await post(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Warn'] },
  });
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'account' } });
  const pod = {
    metadata: { name: 'pod' },
    spec: { serviceAccountName: 'account', containers: [{ name: 'c', image: 'i' }] },
  };
  expect((await post('/api/v1/namespaces/default/pods', pod)).status).toBe(201);
  const token = await until(
    () => post('/api/v1/namespaces/default/serviceaccounts/account/token', { spec: {} }),
    ({ warnings }) => warnings !== '',
  );
  expect(token.warnings).toContain('TokenRequest 3600 token');
  const binding = { metadata: { name: 'pod' }, target: { kind: 'Node', name: 'n' } };
  const bound = await post('/api/v1/namespaces/default/pods/pod/binding?dryRun=All', binding);
  expect(bound.warnings).toContain('Binding 0 binding');
});
