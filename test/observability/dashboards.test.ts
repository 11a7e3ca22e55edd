import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

const ROOT = join(import.meta.dirname, '../..');
const MIXIN = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/metrics/kubernetes-mixin.json'), 'utf8')) as {
  metrics: Record<string, string[]>;
};

describe('metrics of dashboards', () => {
  let cluster: TestCluster;
  /** The labels of the series of each name. */
  const series = new Map<string, Set<string>>();

  beforeAll(async () => {
    cluster = await startCluster({ requestTimeout: 60_000 });
    const maps = '/api/v1/namespaces/default/configmaps';
    await cluster.fetch(maps, { method: 'POST', body: { metadata: { name: 'a' } } });
    await cluster.fetch(maps);
    await watchUntil(cluster, maps, () => true);
    await cluster.fetch(`${maps}/a`, { method: 'DELETE' });
    await cluster.fetch('/apis/apiregistration.k8s.io/v1/apiservices', {
      method: 'POST',
      body: {
        metadata: { name: 'v1.absent.test' },
        spec: {
          group: 'absent.test',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: 'absent' },
        },
      },
    });
    // Rejected for its own protection, as the alert about terminated requests counts.
    await cluster.fetch('/api/v1/namespaces/kube-system/pods/x/eviction?timeout=1ns', { method: 'POST' });
    for (let tries = 0; tries < 100; tries += 1) {
      read(await (await cluster.fetch('/metrics')).text());
      if (series.has('aggregator_unavailable_apiservice_total')) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  afterAll(() => cluster.stop());

  function read(text: string): void {
    for (const line of text.split('\n')) {
      const [, name, labels = ''] = /^([a-z_:0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
      if (name === undefined) continue;
      const known = series.get(name) ?? new Set();
      for (const [, label] of labels.matchAll(/([a-z_]+)="/g)) known.add(label!);
      series.set(name, known);
    }
  }

  /** Series that appear with the events that they count, which this test does not cause. */
  const EVENTS = new Set([
    'apiserver_client_certificate_expiration_seconds_bucket',
    'apiserver_client_certificate_expiration_seconds_count',
    'apiserver_request_terminations_total',
  ]);

  it.each(Object.entries(MIXIN.metrics).filter(([name]) => !EVENTS.has(name)))(
    'kubernetes-mixin finds %s with %j',
    (name, labels) => {
      expect(series.has(name)).toBe(true);
      expect([...series.get(name)!]).toEqual(expect.arrayContaining(labels));
    },
  );

  it('the dashboard of the documentation uses only series that exist', () => {
    const dashboard = readFileSync(join(ROOT, 'docs/grafana-dashboard.json'), 'utf8');
    const parsed = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] };
    const expressions = parsed.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(10);
    const names = expressions.flatMap((expression) =>
      [...expression.matchAll(/([a-z]+_[a-z_0-9]+)\{/g)].map(([, name]) => name!),
    );
    const known = (name: string) => series.has(name) || EVENTS.has(name);
    expect([...new Set(names)].filter((name) => !known(name) && !LATER.has(name))).toEqual([]);
  });
});

/** Series of the dashboard that appear only under load. */
const LATER = new Set([
  'apiserver_flowcontrol_rejected_requests_total',
  'apiserver_flowcontrol_current_inqueue_requests',
]);
