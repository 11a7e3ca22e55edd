import { writeFileSync } from 'node:fs';
import { Agent, request as startRequest } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryDirectory } from '../../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { ExtensionServer, json } from '../../support/extension-server.ts';
import { CollectorServer } from '../../tracing/collector-server.ts';

const GROUP = 'ext.example.test';
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;

let cluster: TestCluster;
let extension: ExtensionServer;
let collector: CollectorServer;
const files = new TemporaryDirectory();

/** Sends a request over a real connection with the token of an administrator. */
function overHttp(method: string, path: string, headers: Record<string, string | string[]> = {}) {
  return startRequest(`${cluster.url}${path}`, {
    method,
    agent: new Agent({ keepAlive: false }),
    ca: cluster.caBundle,
    cert: pem('client-certificate-data'),
    key: pem('client-key-data'),
    headers,
  });
}
const pem = (member: string): string =>
  Buffer.from(new RegExp(`${member}: (\\S+)`).exec(cluster.kubeconfig)![1]!, 'base64').toString();
const send = async (method: string, path: string, body?: object) => {
  const response = await cluster.fetch(path, { method, ...(body && { body }) });
  return { status: response.status, body: await response.text() };
};
const available = async (name: string) => {
  const { status } = JSON.parse((await send('GET', `${SERVICES}/${name}`)).body);
  return status?.conditions?.[0] ?? {};
};
const lastRequest = () => extension.requests.findLast(({ path }) => path.startsWith(THINGS))!;

beforeAll(async () => {
  collector = await new CollectorServer().listen();
  writeFileSync(
    files.path('tracing.json'),
    JSON.stringify({ endpoint: `127.0.0.1:${collector.port}`, samplingRatePerMillion: 1_000_000 }),
  );
  cluster = await startCluster({ controllers: ['-*'], tracingConfigFile: files.path('tracing.json') });
  const map = await send(
    'GET',
    '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
  );
  extension = await new ExtensionServer({
    hosts: ['ext.default.svc'],
    frontProxyAuthority: JSON.parse(map.body).data['requestheader-client-ca-file'],
    answer: (_, response) => json(response, { kind: 'Thing' }),
  }).start();
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'ext' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: extension.port }] },
  });
  await send('POST', SERVICES, {
    metadata: { name: `v1.${GROUP}` },
    spec: {
      group: GROUP,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      caBundle: extension.caBundle,
      service: { namespace: 'default', name: 'ext', port: extension.port },
    },
  });
  await vi.waitFor(async () => expect(await available(`v1.${GROUP}`)).toMatchObject({ reason: 'Passed' }));
  await vi.waitFor(async () => expect((await send('GET', `${THINGS}/a`)).status).toBe(200));
});
afterAll(async () => {
  await cluster.stop();
  const call = collector.spans.find(({ attributes }) =>
    String(attributes['http.url']).endsWith(`${THINGS}/a`),
  );
  expect(call).toMatchObject({ name: 'HTTP GET', kind: 3 });
  expect(call!.parentId).not.toBe('');
  await collector.close();
  await extension.stop();
  files.remove();
});
beforeEach(() => {
  extension.answer = (_, response) => json(response, { kind: 'Thing' });
});

describe('requests to an extension server', () => {
  it('name their user, authenticated by the generated front-proxy certificate', async () => {
    await send('GET', `${THINGS}/a`);
    expect(lastRequest()).toMatchObject({
      proxy: 'front-proxy-client',
      headers: {
        'x-remote-user': 'kubernetes-admin',
        'x-remote-group': 'system:masters, system:authenticated',
        'x-forwarded-uri': `${THINGS}/a`,
        'x-forwarded-proto': 'https',
        host: `localhost:${extension.port}`,
      },
    });
  });

  it('continue the trace of the request', async () => {
    await cluster.fetch(`${THINGS}/a`, {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' },
    });
    const { traceparent } = lastRequest().headers;
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traceparent).not.toContain('0af7651916cd43dd8448eb211c80319c');
  });

  it('carry neither credentials nor identities that the client claims', async () => {
    await new Promise((resolve) => {
      const outgoing = overHttp('GET', `${THINGS}/a`, {
        authorization: 'Bearer secret',
        'x-remote-user': 'forged',
        'x-remote-uid': 'forged',
        'x-remote-extra-scope': 'forged',
        'x-forwarded-for': '203.0.113.9',
        'impersonate-user': 'kubernetes-admin',
        'impersonate-group': 'system:masters',
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io`,
        'x-hop': 'dropped',
        connection: 'close, x-hop',
      });
      outgoing.on('response', (response) => response.resume().on('end', resolve)).end();
    });
    const { headers } = lastRequest();
    expect(headers).toMatchObject({
      'x-remote-user': 'kubernetes-admin',
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'sec-websocket-protocol': 'v4.channel.k8s.io',
    });
    for (const name of [
      'authorization',
      'x-remote-uid',
      'x-remote-extra-scope',
      'impersonate-user',
      'x-hop',
      'connection',
    ])
      expect(headers).not.toHaveProperty(name);
  });

  it('keep their body, and their path and query in normal form', async () => {
    const path = `${THINGS}/a%2Fb%20c//?b=2&a=%2F+x&a=&c`;
    expect((await send('POST', path, { n: 1 })).status).toBe(200);
    expect(lastRequest()).toMatchObject({
      method: 'POST',
      path: `${THINGS}/a/b%20c//`,
      query: 'a=%2F+x&a=&b=2&c=',
      body: '{"n":1}',
    });
    expect(lastRequest().headers['x-forwarded-uri']).toBe(`${THINGS}/a/b%20c/`);
  });

  it('are refused before they are sent when the user may not make them', async () => {
    const before = extension.requests.length;
    const response = await cluster.fetch(`${THINGS}/a`, { headers: { 'impersonate-user': 'nobody' } });
    expect(response.status).toBe(403);
    expect(extension.requests.slice(before).filter(({ path }) => path.startsWith(THINGS))).toEqual([]);
  });
});

describe('responses of an extension server', () => {
  it('stream event by event, and end the request when the client has disconnected', async () => {
    let ended: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let write: (text: string) => void = () => undefined;
    extension.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      write = (text) => void response.write(text);
      response.once('close', () => ended!());
      write('one\n');
    };
    const received: string[] = [];
    const outgoing = overHttp('GET', `${THINGS}?watch=true`);
    outgoing.on('error', () => undefined);
    outgoing.on('response', (response) => {
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    });
    outgoing.end();
    await vi.waitFor(() => expect(received.join('')).toBe('one\n'));
    write('two\n');
    await vi.waitFor(() => expect(received.join('')).toBe('one\ntwo\n'));
    outgoing.destroy();
    await closed;
  });

  it('must not redirect', async () => {
    extension.answer = (_, response) =>
      response.writeHead(302, { location: 'https://elsewhere.test/' }).end();
    expect(await send('GET', `${THINGS}/a`)).toEqual({
      status: 502,
      body: 'the backend attempted to redirect this request, which is not permitted',
    });
  });

  it('that break off cost a 503 or end the response', async () => {
    extension.answer = (_, response) => response.destroy();
    expect(await send('GET', `${THINGS}/a`)).toEqual({
      status: 503,
      body: 'error trying to reach service: EOF\n',
    });
    extension.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('begin', () => response.destroy());
    };
    await expect(send('GET', `${THINGS}/a`)).rejects.toThrow();
  });

  it('switch protocols in both directions', async () => {
    const outgoing = overHttp('GET', `${THINGS}/a/exec`, { connection: 'Upgrade', upgrade: 'SPDY/3.1' });
    const echoed = await new Promise<string>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('upgrade', (response, socket) => {
        expect(response.headers.upgrade).toBe('SPDY/3.1');
        socket.on('error', () => undefined);
        socket.once('data', (chunk: Buffer) => {
          resolve(chunk.toString());
          socket.destroy();
        });
        socket.write('hello');
      });
      outgoing.end();
    });
    expect(echoed).toBe('hello');
  });

  it('are 500 for a CA bundle without certificates', async () => {
    const { body } = await send('GET', `${SERVICES}/v1.${GROUP}`);
    const { spec } = JSON.parse(body);
    const caBundle = Buffer.from('nope').toString('base64');
    await send('POST', SERVICES, {
      metadata: { name: `v2.${GROUP}` },
      spec: { ...spec, version: 'v2', caBundle },
    });
    await vi.waitFor(async () =>
      expect(await send('GET', `/apis/${GROUP}/v2/things`)).toEqual({
        status: 500,
        body: 'unable to load root certificates: unable to parse bytes as PEM block\n',
      }),
    );
    await send('DELETE', `${SERVICES}/v2.${GROUP}`);
  });

  it('to an upgrade that is refused are passed on', async () => {
    extension.upgrade = (_, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
    const status = await new Promise((resolve, reject) => {
      const outgoing = overHttp('GET', `${THINGS}/a/exec`, { connection: 'Upgrade', upgrade: 'SPDY/3.1' });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.end();
    });
    expect(status).toBe(403);
  });
});

describe('discovery', () => {
  const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const item = async () => {
    const response = await cluster.fetch('/apis', { headers: { accept: AGGREGATED } });
    const { items } = (await response.json()) as { items: { metadata: { name: string } }[] };
    return items.find(({ metadata }) => metadata.name === GROUP);
  };
  const touch = (service: object) =>
    cluster.fetch(`${SERVICES}/v1.${GROUP}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { service } }),
    });

  it('contains the resources of the server, which are stale once it is unavailable', async () => {
    const resource = {
      resource: 'things',
      responseKind: { group: GROUP, version: 'v1', kind: 'Thing' },
      scope: 'Namespaced',
      singularResource: 'thing',
      verbs: ['get', 'list'],
    };
    const versions = [{ version: 'v1', resources: [resource], freshness: 'Current' }];
    extension.answer = ({ path, headers }, response) =>
      path === '/apis' && headers.accept!.includes('v=v2;')
        ? json(response, { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: GROUP }, versions }] })
        : json(response, { kind: 'Thing' });
    expect((await touch({ name: 'absent' })).status).toBe(200);
    await vi.waitFor(async () =>
      expect(await item()).toMatchObject({ versions: [{ version: 'v1', freshness: 'Stale' }] }),
    );
    await touch({ name: 'ext' });
    await vi.waitFor(async () => expect(await item()).toMatchObject({ versions }));
    await touch({ name: 'absent' });
    await vi.waitFor(async () => expect(JSON.stringify(await item())).toContain('"freshness":"Stale"'));
    expect(JSON.stringify(await item())).not.toContain('resources');
    await touch({ name: 'ext' });
    await vi.waitFor(async () => expect(await item()).toMatchObject({ versions }));
    const group = await cluster.fetch(`/apis/${GROUP}`);
    expect(await group.json()).toMatchObject({ kind: 'APIGroup', preferredVersion: { version: 'v1' } });
    expect((await cluster.fetch(`/apis/${GROUP}/v2`)).status).toBe(404);
  });
});

describe('OpenAPI documents', () => {
  const NAME = `apis/${GROUP}/v1`;
  const register = async () => {
    const { body } = await send('GET', `${SERVICES}/v1.${GROUP}`);
    const { spec } = JSON.parse(body);
    await send('DELETE', `${SERVICES}/v1.${GROUP}`);
    await vi.waitFor(async () => expect((await send('GET', '/openapi/v3')).body).not.toContain(NAME));
    await send('POST', SERVICES, { metadata: { name: `v1.${GROUP}` }, spec });
  };

  it('are in the index with their hash, passed on, and merged in version 2', {
    timeout: 30_000,
  }, async () => {
    const swagger = {
      swagger: '2.0',
      paths: { [`/${NAME}/things`]: { get: { operationId: 'listThings' } }, '/healthz': {} },
      definitions: { 'test.Thing': { type: 'object' }, 'io.k8s.api.core.v1.Pod': { type: 'string' } },
    };
    extension.answer = ({ path, query, headers }, response) => {
      if (path === '/openapi/v3')
        return json(response, { paths: { [NAME]: { serverRelativeURL: `/openapi/v3/${NAME}?hash=AB` } } });
      if (path === '/openapi/v2') return json(response, swagger);
      if (path === `/openapi/v3/${NAME}`)
        return json(response, { query, user: headers['x-remote-user'], openapi: '3.0.0' });
      return json(response, {});
    };
    await register();
    await vi.waitFor(async () =>
      expect((await send('GET', '/openapi/v3')).body).toContain(`/openapi/v3/${NAME}?hash=AB`),
    );
    const { paths } = JSON.parse((await send('GET', '/openapi/v3')).body);
    expect(paths['api/v1'].serverRelativeURL).toContain('/openapi/v3/api/v1?hash=');
    expect(JSON.parse((await send('GET', `/openapi/v3/${NAME}?hash=AB`)).body)).toEqual({
      query: 'hash=AB',
      user: 'system:kube-aggregator',
      openapi: '3.0.0',
    });
    const merged = JSON.parse((await send('GET', '/openapi/v2')).body);
    expect(merged.paths[`/${NAME}/things`]).toEqual({ get: { operationId: 'listThings' } });
    expect(merged.paths).not.toHaveProperty('/healthz');
    expect(merged.definitions['test.Thing']).toEqual({ type: 'object' });
    expect(merged.definitions['io.k8s.api.core.v1.Pod'].type).toBe('object');
    expect(merged.definitions['io.k8s.api.core.v1.Pod_v2']).toEqual({ type: 'string' });
    const protobuf = await cluster.fetch('/openapi/v2', {
      headers: { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
    });
    expect(Buffer.from(await protobuf.arrayBuffer()).includes('listThings')).toBe(true);
    await register();
    await vi.waitFor(async () =>
      expect(JSON.parse((await send('GET', '/openapi/v2')).body).definitions).toHaveProperty(
        'io.k8s.api.core.v1.Pod',
      ),
    );
  });
});

describe('an extension server that does not respond', () => {
  it('costs its own group a 503 and nobody else anything', async () => {
    await send('POST', SERVICES, {
      metadata: { name: 'v1.dead.example.test' },
      spec: {
        group: 'dead.example.test',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'absent' },
      },
    });
    const path = '/apis/dead.example.test/v1/namespaces/default/things';
    await vi.waitFor(async () =>
      expect(await send('GET', path)).toEqual({ status: 503, body: 'service unavailable\n' }),
    );
    // The other server was registered again by the previous test.
    await vi.waitFor(async () => expect((await send('GET', `${THINGS}/a`)).status).toBe(200));
    expect((await send('GET', '/api/v1/namespaces')).status).toBe(200);
    const name = 'v1.dead.example.test';
    const metrics = (await send('GET', '/metrics')).body;
    expect(metrics).toContain(`aggregator_unavailable_apiservice{name="${name}"} 1`);
    expect(metrics).toContain(
      `aggregator_unavailable_apiservice_total{name="${name}",reason="ServiceNotFound"} 1`,
    );
    await send('DELETE', `${SERVICES}/${name}`);
    await vi.waitFor(async () => expect((await send('GET', '/metrics')).body).not.toContain(name));
  });

  it('gives a version back to its definition together with the registration', async () => {
    const group = 'taken.example.test';
    const service = `${SERVICES}/v1.${group}`;
    const list = () => send('GET', `/apis/${group}/v1/things`);
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    await vi.waitFor(async () => expect((await send('GET', service)).status).toBe(200));
    await cluster.fetch(service, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({
        metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
        spec: { insecureSkipTLSVerify: true, service: { namespace: 'default', name: 'absent' } },
      }),
    });
    await vi.waitFor(async () => expect((await list()).status).toBe(503));
    await send('DELETE', service);
    await vi.waitFor(async () => expect((await list()).status).toBe(200), { interval: 1 });
    const { status, body } = await send('GET', service);
    expect([status, JSON.parse(body).spec?.service]).toEqual([200, undefined]);
  });

  it('is marked with the reason', async () => {
    extension.answer = (_, response) => json(response, {}, 500);
    const url = `https://localhost:${extension.port}/apis/${GROUP}/v1`;
    await cluster.fetch(`${SERVICES}/v1.${GROUP}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { versionPriority: 11 } }),
    });
    await vi.waitFor(async () =>
      expect(await available(`v1.${GROUP}`)).toMatchObject({
        status: 'False',
        reason: 'FailedDiscoveryCheck',
        message: `failing or missing response from ${url}: bad status from ${url}: 500`,
      }),
    );
    extension.answer = (_, response) => json(response, {});
    await vi.waitFor(async () => expect((await available(`v1.${GROUP}`)).status).toBe('True'), 15_000);
  });
});
