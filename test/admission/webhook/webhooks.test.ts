import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Servers } from '../../outbound/servers.ts';
import {
  type Asked,
  answer,
  configurations,
  configure,
  create,
  outcome,
  patching,
  webhook,
} from './support.ts';

describe('admission webhooks', () => {
  let cluster: TestCluster;
  let servers: Servers;
  let port: number;
  let asked: Asked[];
  let respond: (request: Asked) => object;

  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    servers = new Servers();
    port = await servers.https((incoming, outgoing) => {
      void answer(incoming, outgoing, (request) => {
        asked.push(request);
        return respond(request);
      });
    });
  });
  afterAll(async () => {
    await cluster.stop();
    await servers.close();
  });
  beforeEach(() => {
    asked = [];
    respond = () => ({});
  });
  afterEach(async () => {
    for (const type of ['Mutating', 'Validating'] as const)
      await cluster.fetch(configurations(type), { method: 'DELETE' });
  });

  it('are in effect with the next request, after each change of their configuration', async () => {
    await create(cluster, 'x', '?dryRun=All');
    await configure(cluster, 'Validating', 'v', webhook(port));
    await create(cluster, 'x', '?dryRun=All');
    expect(asked).toHaveLength(1);
    const secrets = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['secrets'] }];
    await cluster.fetch(`${configurations('Validating')}/v`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: [{ op: 'replace', path: '/webhooks/0/rules', value: secrets }],
    });
    await create(cluster, 'x', '?dryRun=All');
    expect(asked).toHaveLength(1);
    await cluster.fetch(`${configurations('Validating')}/v`, { method: 'DELETE' });
    await create(cluster, 'x', '?dryRun=All');
    expect(asked).toHaveLength(1);
  });

  it('reuse the connection', async () => {
    const before = servers.accepted;
    await configure(cluster, 'Validating', 'v', webhook(port));
    for (const name of ['a', 'b', 'c']) await create(cluster, name, '?dryRun=All');
    expect([asked.length, servers.accepted - before]).toEqual([3, 1]);
  });

  it('deny with a status that names them', async () => {
    respond = () => ({
      allowed: false,
      status: { code: 422, reason: 'Invalid', message: 'no', details: { causes: [{ field: 'spec' }] } },
      warnings: ['careful', 'bad\ttab', ''],
    });
    await configure(cluster, 'Validating', 'v', webhook(port));
    const response = await create(cluster, 'x');
    expect([response.status, response.headers.get('warning')]).toEqual([422, '299 - "careful"']);
    expect(await response.json()).toMatchObject({
      reason: 'Invalid',
      message: 'admission webhook "hook.example.test" denied the request: no',
      details: { causes: [{ field: 'spec' }] },
      code: 422,
    });
    respond = () => ({ allowed: false, status: { code: 200, status: 'Success' } });
    expect(await outcome(create(cluster, 'x'))).toEqual([
      400,
      'admission webhook "hook.example.test" denied the request without explanation',
    ]);
    respond = () => ({ allowed: false, status: { status: 'Odd' } });
    expect(await (await create(cluster, 'x')).json()).toMatchObject({ kind: 'Status', status: 'Odd' });
  });

  it('warn within the bounds of a response', async () => {
    await configure(cluster, 'Validating', 'v', webhook(port));
    const warnings = async (...texts: string[]) => {
      respond = () => ({ warnings: texts });
      const response = await create(cluster, 'x', '?dryRun=All');
      return (response.headers.get('warning') ?? '').split(', ').map((header) => header.length - 8);
    };
    expect(await warnings('a', 'b', 'a', 'bad\u007f')).toEqual([1, 1]);
    expect(await warnings('x'.repeat(4000))).toEqual([4000]);
    // All are shortened; the one that reaches the limit is the last one.
    const many = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(2)}${'x'.repeat(249)}`);
    expect(await warnings(...many)).toEqual(Array(17).fill(251));
    expect(await warnings('y'.repeat(4000), 'z'.repeat(300))).toEqual([256, 256]);
  });

  it.each([
    [601, 601],
    [999, 999],
    [1000, 500],
    [2 ** 31 - 1, 500],
    [-5, 400],
  ])('may deny with code %i, which becomes %i', async (code, status) => {
    respond = () => ({
      allowed: false,
      status: { code, message: 'odd', metadata: { resourceVersion: '7' } },
    });
    await configure(cluster, 'Validating', 'v', webhook(port));
    const kubeconfig = (name: string): Buffer =>
      Buffer.from(new RegExp(`${name}: "?([^"\\s]+)`).exec(cluster.kubeconfig)![1]!, 'base64');
    const identity = {
      ca: kubeconfig('certificate-authority-data'),
      cert: kubeconfig('client-certificate-data'),
      key: kubeconfig('client-key-data'),
    };
    const path = '/api/v1/namespaces/default/configmaps';
    const body = JSON.stringify({ metadata: { name: 'x' } });
    const headers = { 'content-type': 'application/json' };
    const [response] = await once(
      request(`${cluster.url}${path}`, { ...identity, method: 'POST', headers }).end(body),
      'response',
    );
    expect(response.statusCode).toBe(status);
    expect(JSON.parse(await text(response))).toMatchObject({
      code: status,
      metadata: { resourceVersion: '7' },
    });

    const session = connect(cluster.url, identity);
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers }).end(body);
    const [received] = await once(stream, 'response');
    expect(received[':status']).toBe(status);
    expect(JSON.parse(await text(stream))).toMatchObject({ kind: 'Status', code: status });
    session.close();
  });

  it('with side effects are not asked in a dry run', async () => {
    const noted = [
      webhook(port, { name: 'none.example.test', sideEffects: 'NoneOnDryRun' }),
      webhook(port, { name: 'some.example.test', sideEffects: 'Some', admissionReviewVersions: ['v1beta1'] }),
    ];
    const url = configurations('Validating').replace('/v1/', '/v1/');
    const stored = await cluster.fetch(url, {
      method: 'POST',
      body: { metadata: { name: 'v' }, webhooks: noted },
    });
    // A v1 configuration cannot name side effects that a dry run would have.
    expect(stored.status).toBe(422);
    await configure(cluster, 'Validating', 'v', noted[0]!);
    await create(cluster, 'x', '?dryRun=All');
    expect(asked.map(({ dryRun }) => dryRun)).toEqual([true]);
  });

  it('change the object one after the other; a second round shows changes to earlier ones', async () => {
    respond = ({ object }) => {
      const trace = object.metadata.annotations?.trace ?? '';
      if (trace.length > 5) return {};
      const annotations = { trace: `${trace}${trace === '' ? 'a' : trace.length}` };
      return patching({ op: 'add', path: '/metadata/annotations', value: annotations });
    };
    const again = { reinvocationPolicy: 'IfNeeded' };
    await configure(
      cluster,
      'Mutating',
      'm',
      webhook(port, { name: 'one.example.test', ...again }),
      webhook(port, { name: 'two.example.test' }),
      webhook(port, { name: 'three.example.test', ...again }),
    );
    const created = (await (await create(cluster, 'x', '?dryRun=All')).json()) as {
      metadata: { annotations: object };
    };
    // In the second round the first one changes the object again, after which the last one is asked again.
    expect(created.metadata.annotations).toEqual({ trace: 'a1234' });
    expect(asked).toHaveLength(5);
  });

  it('do not intercept configurations, which can be deleted', async () => {
    const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
    respond = () => ({ allowed: false });
    await configure(cluster, 'Validating', 'v', webhook(port, { rules: everything }));
    expect((await create(cluster, 'x')).status).toBe(400);
    const deleted = await cluster.fetch(`${configurations('Validating')}/v`, { method: 'DELETE' });
    expect([deleted.status, asked.length]).toEqual([200, 1]);
  });

  it('count in the metrics by the names of the reference', async () => {
    respond = () => ({ allowed: false });
    await configure(cluster, 'Validating', 'v', webhook(port, { name: 'counted.example.test' }));
    await create(cluster, 'x');
    const text = await (await cluster.fetch('/metrics')).text();
    const labels = 'name="counted.example.test"';
    const line = (name: string) =>
      text.split('\n').find((one) => one.startsWith(name) && one.includes(labels)) ?? '';
    expect(line('apiserver_admission_webhook_rejection_count')).toContain('error_type="no_error"');
    expect(line('apiserver_admission_webhook_request_total')).toMatch(/code="400".*rejected="true".* 1$/);
    expect(line('apiserver_admission_webhook_admission_duration_seconds_count')).toMatch(/ 1$/);
  });
});
