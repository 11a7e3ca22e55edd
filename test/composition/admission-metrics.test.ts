import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { answer, configure, create, patching, webhook } from '../admission/webhook/support.ts';
import { Servers } from '../outbound/servers.ts';

let cluster: TestCluster;
let servers: Servers;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'] });
  servers = new Servers();
});
afterAll(async () => {
  await cluster.stop();
  await servers.close();
});

/** The values of the series of a metric, by labels. */
async function series(name: string): Promise<Record<string, number>> {
  const text = await (await cluster.fetch('/metrics')).text();
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => {
        const end = line.lastIndexOf('}');
        return [line.slice(name.length, end + 1), Number(line.slice(end + 1))];
      }),
  );
}

const conditions = (...expressions: string[]) => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
});

test('webhooks and their match conditions', async () => {
  const port = await servers.https((incoming, outgoing) => {
    void answer(incoming, outgoing, ({ object: { metadata } }) => {
      if (metadata.name === 'unpatched') return patching({ op: 'remove', path: '/absent' });
      return metadata.name === 'bad' ? { allowed: false, status: { code: 418 } } : {};
    });
  });
  const closed = { clientConfig: { url: 'https://127.0.0.1:1/hook' } };
  const failing = "object.data.absent == 'x'";
  await configure(
    cluster,
    'Validating',
    'v',
    webhook(port, { name: 'ok.example.test' }),
    webhook(port, { name: 'open.example.test', ...closed, failurePolicy: 'Ignore' }),
    webhook(port, {
      name: 'closed.example.test',
      ...closed,
      ...conditions("object.metadata.name == 'dead'"),
    }),
    webhook(port, {
      name: 'errors.example.test',
      failurePolicy: 'Ignore',
      ...conditions(failing, 'true', failing),
    }),
    webhook(port, { name: 'both.example.test', ...conditions(failing, 'false') }),
  );
  await configure(
    cluster,
    'Mutating',
    'm',
    webhook(port, { name: 'mutate.example.test', ...conditions("object.metadata.name != 'skipped'") }),
  );
  for (const name of ['good', 'skipped', 'dead']) await create(cluster, name, '?dryRun=All');
  expect((await create(cluster, 'bad', '?dryRun=All')).status).toBe(418);
  expect((await create(cluster, 'unpatched', '?dryRun=All')).status).toBe(500);
  await cluster.fetch('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v', {
    method: 'DELETE',
  });
  const hook = 'apiserver_admission_webhook';
  expect(await series(`${hook}_request_total`)).toEqual({
    '{code="200",name="mutate.example.test",operation="CREATE",rejected="false",type="admit"}': 2,
    '{code="418",name="mutate.example.test",operation="CREATE",rejected="true",type="admit"}': 1,
    '{code="0",name="mutate.example.test",operation="CREATE",rejected="true",type="admit"}': 1,
    '{code="200",name="ok.example.test",operation="CREATE",rejected="false",type="validating"}': 3,
    '{code="503",name="open.example.test",operation="CREATE",rejected="false",type="validating"}': 3,
    '{code="503",name="closed.example.test",operation="CREATE",rejected="true",type="validating"}': 1,
  });
  expect(await series(`${hook}_rejection_count`)).toEqual({
    '{error_type="apiserver_internal_error",name="mutate.example.test",operation="CREATE",rejection_code="0",type="admit"}': 1,
    '{error_type="no_error",name="mutate.example.test",operation="CREATE",rejection_code="418",type="admit"}': 1,
    '{error_type="calling_webhook_error",name="closed.example.test",operation="CREATE",rejection_code="503",type="validating"}': 1,
  });
  expect(await series(`${hook}_fail_open_count`)).toEqual({
    '{name="open.example.test",type="validating"}': 3,
  });
  expect(await series(`${hook}_admission_duration_seconds_count`)).toMatchObject({
    '{name="ok.example.test",operation="CREATE",rejected="false",type="validating"}': 3,
  });
  const condition = 'apiserver_admission_match_condition';
  expect(await series(`${condition}_evaluation_errors_total`)).toEqual({
    '{kind="webhook",name="errors.example.test",operation="CREATE",type="validating"}': 6,
    '{kind="webhook",name="both.example.test",operation="CREATE",type="validating"}': 3,
  });
  expect(await series(`${condition}_exclusions_total`)).toEqual({
    '{kind="webhook",name="both.example.test",operation="CREATE",type="validate"}': 3,
    '{kind="webhook",name="closed.example.test",operation="CREATE",type="validate"}': 2,
    '{kind="webhook",name="mutate.example.test",operation="CREATE",type="admit"}': 1,
  });
  // Conditions that match are not measured.
  expect(await series(`${condition}_evaluation_seconds_count`)).toEqual({
    '{kind="webhook",name="both.example.test",operation="CREATE",type="validating"}': 3,
    '{kind="webhook",name="closed.example.test",operation="CREATE",type="validating"}': 2,
    '{kind="webhook",name="errors.example.test",operation="CREATE",type="validating"}': 3,
    '{kind="webhook",name="mutate.example.test",operation="CREATE",type="admit"}': 1,
  });
});

test('policies, plugins and phases', async () => {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const post = (path: string, body: object) => cluster.fetch(path, { method: 'POST', body });
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  await post(`${group}/validatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules },
      ...conditions("object.metadata.name != 'skipped'"),
      validations: [
        { expression: "object.metadata.name != 'refused'" },
        { expression: "object.metadata.name != 'failed' || object.data.absent == 'x'" },
      ],
    },
  });
  for (const [name, validationActions] of [
    ['a', ['Warn', 'Audit']],
    ['b', ['Deny']],
  ] as const)
    await post(`${group}/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: 'p', validationActions },
    });
  const refused = () => create(cluster, 'refused', '?dryRun=All');
  while ((await refused()).status !== 422) await new Promise((resolve) => setImmediate(resolve));
  await cluster.fetch('/metrics', { method: 'DELETE' });
  for (const name of ['refused', 'failed', 'fine', 'skipped']) await create(cluster, name, '?dryRun=All');
  const check = 'apiserver_validating_admission_policy_check';
  const expected = Object.fromEntries(
    [
      ['audit', 'a'],
      ['warn', 'a'],
      ['deny', 'b'],
    ].map(([action, binding]) => [
      `{enforcement_action="${action}",error_type="invalid_error",policy="p",policy_binding="${binding}"}`,
      2,
    ]),
  );
  expect(await series(`${check}_total`)).toEqual(expected);
  expect(await series(`${check}_duration_seconds_count`)).toEqual(expected);
  expect(await series('apiserver_admission_match_condition_evaluation_seconds_count')).toMatchObject({
    '{kind="policy",name="p",operation="CREATE",type="validate"}': 2,
  });
  const step = 'apiserver_admission_step_admission_duration_seconds';
  const steps = {
    '{operation="CREATE",rejected="false",type="admit"}': 4,
    '{operation="CREATE",rejected="false",type="validate"}': 2,
    '{operation="CREATE",rejected="true",type="validate"}': 2,
  };
  expect(await series(`${step}_count`)).toEqual(steps);
  expect(await series(`${step}_summary_count`)).toEqual(steps);
  expect(Object.keys(await series(`${step}_summary`))).toContain(
    '{operation="CREATE",rejected="true",type="validate",quantile="0.99"}',
  );
  expect(await series('apiserver_admission_controller_admission_duration_seconds_count')).toMatchObject({
    '{name="ValidatingAdmissionPolicy",operation="CREATE",rejected="true",type="validate"}': 2,
  });
});
