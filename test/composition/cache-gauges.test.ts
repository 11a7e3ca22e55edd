import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Activity } from '../../src/composition/activity.ts';
import { observeRequests } from '../../src/composition/egress.ts';
import { measureQueues } from '../../src/composition/instrumentation.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import { DIRECT_EGRESS } from '../../src/outbound/egress.ts';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import { WorkQueue } from '../../src/reconcile/work-queue.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { closedPort } from '../outbound/servers.ts';
import { bothClocks } from '../support/both-clocks.ts';

const NAMESPACE = '/api/v1/namespaces/default';

describe('metrics of caches and lists', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());
  const series = async (pattern: RegExp) =>
    (await (await cluster.fetch('/metrics')).text())
      .split('\n')
      .filter((line) => pattern.test(line) && !line.startsWith('#'));
  const value = async (name: string) =>
    Number((await series(new RegExp(`^${name.replace(/[{}"/.=,]/g, '\\$&')} `)))[0]?.split(' ').at(-1) ?? 0);

  it('count what lists look at and return, from the cache and from the store', async () => {
    for (const [name, label] of [
      ['a', 'x'],
      ['b', 'y'],
    ]) {
      await cluster.fetch(`${NAMESPACE}/limitranges`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name, labels: { label } } }),
      });
    }
    const prefix = 'resource_prefix="/limitranges"';
    const before = await value(`apiserver_cache_list_total{index="",${prefix}}`);
    const fetched = await value(`apiserver_cache_list_fetched_objects_total{index="",${prefix}}`);
    const returned = await value(`apiserver_cache_list_returned_objects_total{${prefix}}`);
    const reads =
      'apiserver_watch_cache_consistent_read_total{fallback="false",resource="/limitranges",success="true"}';
    const consistent = await value(reads);
    await (await cluster.fetch(`${NAMESPACE}/limitranges?labelSelector=label%3Dx`)).text();
    expect(await value(`apiserver_cache_list_total{index="",${prefix}}`)).toBe(before + 1);
    expect(await value(`apiserver_cache_list_fetched_objects_total{index="",${prefix}}`)).toBe(fetched + 2);
    expect(await value(`apiserver_cache_list_returned_objects_total{${prefix}}`)).toBe(returned + 1);
    expect(await value(reads)).toBe(consistent + 1);
    for (const name of [
      'apiserver_watch_cache_initializations_total{resource="limitranges"}',
      'apiserver_storage_list_total{resource="limitranges"}',
    ])
      expect(await value(name)).toBeGreaterThan(0);
    for (const name of [
      'storage_events_received',
      'watch_cache_events_received',
      'watch_cache_events_dispatched',
    ])
      expect(await value(`apiserver_${name}_total{resource="limitranges"}`)).toBeGreaterThanOrEqual(2);
  });

  it('measure the initial events of watches', async () => {
    const query = 'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const before = await value('apiserver_init_events_total{resource="namespaces"}');
    await (await cluster.fetch(`/api/v1/namespaces?${query}&allowWatchBookmarks=true`)).text();
    expect(await value('apiserver_init_events_total{resource="namespaces"}')).toBeGreaterThan(before);
    expect(await series(/^apiserver_watch_list_duration_seconds_count/)).toEqual([
      'apiserver_watch_list_duration_seconds_count{group="",resource="namespaces",scope="cluster",version="v1"} 1',
    ]);
    expect(await series(/^apiserver_response_sizes_count\{.*resource="namespaces".*WATCH/)).toHaveLength(1);
  });

  it('show zeros for what kube-apiserver shows from the start', async () => {
    await (await cluster.fetch('/apis/networking.k8s.io/v1/ingresses')).text();
    for (const name of ['fetched', 'evaluated', 'returned'])
      expect(
        await series(
          new RegExp(
            `^apiserver_storage_list_${name}_objects_total.resource="ingresses.networking.k8s.io". 0$`,
          ),
        ),
      ).toHaveLength(1);
    expect(await series(/^pod_security_evaluations_total\{.* 0$/)).toHaveLength(2);
    expect(await series(/^pod_security_exemptions_total\{.* 0$/)).toHaveLength(4);
    expect(await series(/^workqueue_retries_total\{.*name="namespace-controller"/)).toHaveLength(1);
    expect(await series(/^apiserver_(clusterip|nodeport)_repair_reconcile_errors_total 0$/)).toHaveLength(2);
  });

  it('measure the wait for a version, also where none is needed', async () => {
    const waits = 'apiserver_watch_cache_read_wait_seconds_count{resource="endpoints"}';
    const path = '/api/v1/endpoints';
    for (const [query, count] of [
      ['', 1],
      ['?resourceVersion=0', 1],
      ['?resourceVersion=1', 2],
      ['?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 3],
      ['?watch=1&timeoutSeconds=1&resourceVersion=0', 3],
    ] as const) {
      await (await cluster.fetch(path + query)).text();
      expect([query, await value(waits)]).toEqual([query, count]);
    }
  });

  it('say when the process started', async () => {
    const started = (await cluster.fetch('/metrics')).headers.get('process-start-time-unix');
    expect(Number(started)).toBe(Math.floor(performance.timeOrigin / 1000));
  });
});

describe('metrics of clients', () => {
  const lines = async (metrics: ReturnType<typeof createServerMetrics>, pattern: RegExp) =>
    (await exposition(metrics.registry)).split('\n').filter((line) => pattern.test(line));

  it('count requests to other servers, with their sizes, and those without a response', async () => {
    const metrics = createServerMetrics();
    const client = new OutboundClient({ egress: { ...DIRECT_EGRESS, observe: observeRequests(metrics) } });
    const server = createServer((_, response) => response.writeHead(201).end('four'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const away = `127.0.0.1:${await closedPort()}`;
    const request = {
      method: 'POST',
      path: '/',
      body: 'seventy'.repeat(10),
      timeout: 5000,
      maximumBytes: 1000,
    };
    await client.target({ server: `http://${host}` }).send(request);
    await expect(client.target({ server: `http://${away}` }).send(request)).rejects.toThrow('refused');
    client.close();
    server.close();
    expect((await lines(metrics, /^rest_client_requests_total/)).sort()).toEqual(
      [
        `rest_client_requests_total{code="201",host="${host}",method="POST"} 1`,
        `rest_client_requests_total{code="<error>",host="${away}",method="POST"} 1`,
      ].sort(),
    );
    expect(await lines(metrics, new RegExp(`^rest_client_\\w+_bytes_sum\\{host="${host}"`))).toEqual([
      `rest_client_request_size_bytes_sum{host="${host}",verb="POST"} 70`,
      `rest_client_response_size_bytes_sum{host="${host}",verb="POST"} 4`,
    ]);
  });

  it('say how long keys have been in process', async () => {
    const metrics = createServerMetrics();
    let now = 1000;
    let finish: () => void = () => undefined;
    let began: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const queue = new WorkQueue({
      work: () =>
        new Promise((resolve) => {
          began();
          finish = () => resolve('done');
        }),
      ...bothClocks({ now: () => now, after: () => () => undefined }),
      workers: 1,
      onError: () => undefined,
      observer: measureQueues(metrics, new Activity())('test'),
    });
    queue.add('a');
    queue.start();
    await beginning;
    now = 3500;
    const pattern = /^workqueue_(unfinished|longest)\w*\{/;
    expect(await lines(metrics, pattern)).toEqual([
      'workqueue_longest_running_processor_seconds{name="test"} 2.5',
      'workqueue_unfinished_work_seconds{name="test"} 2.5',
    ]);
    finish();
    await queue.stop();
    expect(await lines(metrics, pattern)).toEqual([
      'workqueue_longest_running_processor_seconds{name="test"} 0',
      'workqueue_unfinished_work_seconds{name="test"} 0',
    ]);
  });
});
