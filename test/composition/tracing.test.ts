import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { configure, webhook } from '../admission/webhook/support.ts';
import { type WebhookCall, WebhookServer } from '../support/webhook-server.ts';
import { CollectorServer } from '../tracing/collector-server.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const MAPS = '/api/v1/namespaces/default/configmaps';

/** Allows every object. */
function allow({ body }: WebhookCall): object {
  const { kind, apiVersion, request } = body as {
    kind: string;
    apiVersion: string;
    request: { uid: string };
  };
  return { kind, apiVersion, response: { uid: request.uid, allowed: true } };
}

describe('tracing', () => {
  let files: TemporaryDirectory;
  let collector: CollectorServer;
  let hook: WebhookServer;
  let cluster: TestCluster | undefined;
  beforeEach(async () => {
    files = new TemporaryDirectory();
    collector = await new CollectorServer().listen();
    hook = await new WebhookServer(allow).start();
  });
  afterEach(async () => {
    await cluster?.stop();
    await collector.close();
    await hook.stop();
    files.remove();
  });

  const start = async (content: object = {}, more: object = {}) => {
    const document = {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'TracingConfiguration',
      endpoint: `127.0.0.1:${collector.port}`,
      samplingRatePerMillion: 1_000_000,
      ...content,
    };
    writeFileSync(files.path('tracing.json'), JSON.stringify(document));
    cluster = await startCluster({
      controllers: ['-*'],
      tracingConfigFile: files.path('tracing.json'),
      ...more,
    });
    return cluster;
  };
  /** The names of the spans of a request, each with the name of its parent. */
  const tree = (name: string) => {
    const root = collector.spans.find((span) => span.name === name && span.parentId === '');
    const spans = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
    const names = new Map(spans.map((span) => [span.id, span.name]));
    return spans.map((span) => `${names.get(span.parentId) ?? ''} > ${span.name}`);
  };

  it('exports the steps of requests, and tells webhooks about the trace', async () => {
    const running = await start();
    const clientConfig = { url: `${hook.url}/hook`, caBundle: hook.caBundle };
    await configure(running, 'Validating', 'v', webhook(0, { clientConfig }));
    const body = { metadata: { name: 'a' } };
    const headers = { traceparent: PARENT };
    expect((await running.fetch(MAPS, { method: 'POST', body, headers })).status).toBe(201);
    expect((await running.fetch(`${MAPS}/a`)).status).toBe(200);
    expect((await running.fetch(MAPS)).status).toBe(200);
    const changed = { metadata: { name: 'a' }, data: { a: 'b' } };
    expect((await running.fetch(`${MAPS}/a`, { method: 'PUT', body: changed })).status).toBe(200);
    expect((await running.fetch(`${MAPS}/a`, { method: 'DELETE' })).status).toBe(200);
    await running.stop();

    const POST = 'POST /api/v1/namespaces/{:namespace}/configmaps';
    expect(tree(POST)).toEqual([
      ` > ${POST}`,
      `${POST} > authentication`,
      `${POST} > Create`,
      'Create > Call validating webhook',
      'Call validating webhook > HTTP POST',
      'Create > Create etcd3',
      'Create etcd3 > etcdserverpb.KV/Txn',
      'Create > SerializeObject',
    ]);
    const root = collector.spans.find(({ name }) => name === POST)!;
    expect(root.links).toEqual(['0af7651916cd43dd8448eb211c80319c']);
    expect(root.attributes).toMatchObject({
      'http.method': 'POST',
      'http.target': MAPS,
      'http.status_code': 201,
    });
    const client = collector.spans.find(
      (span) => span.name === 'HTTP POST' && span.traceId === root.traceId,
    )!;
    expect(hook.calls[0]!.headers['traceparent']).toBe(`00-${root.traceId}-${client.id}-01`);

    const item = '/api/v1/namespaces/{:namespace}/configmaps/{:name}';
    expect(tree(`GET ${item}`)).toEqual([
      ` > GET ${item}`,
      `GET ${item} > authentication`,
      `GET ${item} > Get`,
      'Get > cacher.Get',
      'cacher.Get > etcdserverpb.KV/Range',
      'Get > SerializeObject',
    ]);
    expect(tree('GET /api/v1/namespaces/{:namespace}/configmaps')).toContain('List > cacher.GetList');
    expect(tree(`PUT ${item}`)).toContain('GuaranteedUpdate etcd3 > etcdserverpb.KV/Txn');
    expect(tree(`DELETE ${item}`)).toContain('Delete > etcdserverpb.KV/Txn');
  });

  it('exports nothing without a sampling rate', async () => {
    const running = await start({ samplingRatePerMillion: 0 });
    await running.fetch(MAPS, { headers: { traceparent: PARENT } });
    await running.stop();
    expect(collector.requests).toBe(0);
  });

  it('needs its feature gate', async () => {
    await expect(start({}, { featureGates: ['APIServerTracing=false'] })).rejects.toThrow(
      'APIServerTracing feature is not enabled, but tracing config file was provided',
    );
  });

  it.each([
    [1, 0],
    [2, 1],
    [4, 1],
  ])('logs where the time of a slow request went with --v=%i: %i line', async (v, lines) => {
    // Time stands still during the request, but for the webhook's 700 ms.
    let frozen: number | undefined;
    const now = performance.now.bind(performance);
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => frozen ?? now());
    try {
      cluster = await startCluster({ controllers: ['-*'], v });
      hook.answer = (call) => {
        frozen! += 700;
        return allow(call);
      };
      const clientConfig = { url: `${hook.url}/hook`, caBundle: hook.caBundle };
      await configure(cluster, 'Validating', 'slow', webhook(0, { clientConfig }));
      const post = { method: 'POST', body: { metadata: { name: 'b' } } };
      frozen = now();
      const posted = await cluster.fetch(MAPS, post);
      frozen = undefined;
      expect(posted.status).toBe(201);
      const slow = () => cluster!.log.filter((one) => one.includes('Trace['));
      expect((await cluster.fetch(MAPS)).status).toBe(200);
      await cluster.stop();
      expect(slow()).toHaveLength(lines);
      if (lines > 0)
        expect(slow()[0]).toMatch(
          /Trace\[\d+\]: \\"Create\\" accept:.*,url:\/api\/v1\/namespaces\/default\/configmaps,.*\(total time: 700ms\): .*\[\\"Call validating webhook\\" configuration:slow,webhook:hook\.example\.test,.*700ms .*END/,
        );
      // A step that took no time.
      expect(slow().some((one) => one.includes('SerializeObject'))).toBe(v >= 4);
    } finally {
      spy.mockRestore();
    }
  });
});
