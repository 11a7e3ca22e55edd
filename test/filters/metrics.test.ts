import { describe, expect, it } from 'vitest';
import { onRemovedResource } from '../../src/composition/instrumentation.ts';
import { metricsFilter } from '../../src/filters/metrics.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import type { Handler } from '../../src/request/context.ts';
import { builtinResourceSet } from '../support/builtin-kinds.ts';
import { rowOf } from '../support/builtin-resources.ts';
import { request } from './context.ts';

const answer =
  (status: number, body = ''): Handler =>
  (context) => {
    context.status = status;
    context.exchange.respond(status, 'text/plain', body);
  };

function counting() {
  const metrics = createServerMetrics();
  const catalog = builtinResourceSet();
  const filter = metricsFilter({
    metrics,
    find: (group, version, resource) => catalog.find(group, version, resource),
    onRemoval: onRemovedResource(catalog),
    isKnownPath: (path) => path === '/healthz',
  });
  return {
    catalog,
    async serve(method: string, target: string, handler = answer(200), headers: Record<string, string> = {}) {
      await filter(request(method, target, { headers }).context, handler);
    },
    async lines(name: string) {
      return (await exposition(metrics.registry)).split('\n').filter((line) => line.startsWith(`${name}{`));
    },
  };
}

const labels = (lines: string[]) =>
  lines.map((line) =>
    Object.fromEntries([...line.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );

describe('request metrics', () => {
  it('have no series of resources that are no longer served', async () => {
    const { serve, lines, catalog } = counting();
    const [old, kept] = ['v1', 'v2'].map((version) => rowOf('g.test', version, 'things', 'Thing'));
    catalog.change({ add: [old!, kept!] });
    for (const version of ['v1', 'v2'])
      for (const method of ['GET', 'POST', 'DELETE'])
        await serve(method, `/apis/g.test/${version}/namespaces/a/things/b`);
    let end!: () => void;
    const open = serve(
      'GET',
      '/apis/g.test/v1/things?watch=1',
      () => new Promise((resolve) => (end = resolve)),
    );
    catalog.change({ remove: [old!] });
    end();
    await open;
    for (const name of [
      'apiserver_request_total',
      'apiserver_request_duration_seconds_count',
      'apiserver_request_sli_duration_seconds_count',
      'apiserver_response_sizes_count',
      'apiserver_longrunning_requests',
    ])
      expect([name, labels(await lines(name)).filter(({ version }) => version === 'v1')]).toEqual([name, []]);
    expect(labels(await lines('apiserver_request_total'))).toHaveLength(3);
    // The resource keeps its series while a row of it is replaced.
    catalog.change({ remove: [kept!], add: [rowOf('g.test', 'v2', 'things', 'Thing')] });
    expect(labels(await lines('apiserver_request_total'))).toHaveLength(3);
    catalog.change({ add: [old!] });
    await serve('GET', '/apis/g.test/v1/namespaces/a/things/b');
    expect(labels(await lines('apiserver_request_total'))).toHaveLength(4);
  });

  it('count the requests that the server refuses in self-defense', async () => {
    const { serve, lines } = counting();
    await serve('GET', '/api/v1/namespaces/a/pods', answer(429));
    await serve('POST', '/api/v1/namespaces/a/pods/b/eviction', answer(429));
    await serve('GET', '/api/v1/namespaces/a/pods/b', answer(504));
    expect(labels(await lines('apiserver_request_terminations_total'))).toEqual([
      {
        verb: 'LIST',
        group: '',
        version: 'v1',
        resource: 'pods',
        subresource: '',
        scope: 'namespace',
        component: 'apiserver',
        code: '429',
      },
    ]);
  });

  it.each([
    ['GET', '/api/v1/namespaces/a/pods/b', { verb: 'GET', scope: 'resource', resource: 'pods' }],
    ['GET', '/api/v1/namespaces/a/pods', { verb: 'LIST', scope: 'namespace' }],
    ['GET', '/api/v1/pods', { verb: 'LIST', scope: 'cluster' }],
    ['GET', '/api/v1/pods?watch=1', { verb: 'WATCH', scope: 'cluster' }],
    ['POST', '/api/v1/namespaces/a/pods', { verb: 'POST', scope: 'resource' }],
    [
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/b/status',
      { verb: 'PUT', group: 'apps', subresource: 'status' },
    ],
    ['PATCH', '/api/v1/namespaces/a/pods/b', { verb: 'PATCH' }],
    ['DELETE', '/api/v1/namespaces/a/pods/b', { verb: 'DELETE' }],
    ['DELETE', '/api/v1/namespaces/a/pods', { verb: 'DELETE' }],
    ['POST', '/api/v1/namespaces/a/pods/b/exec', { verb: 'CONNECT', subresource: 'exec' }],
    ['GET', '/api/v1/namespaces/a/pods/b/invented', { subresource: 'unexpected' }],
    ['GET', '/apis/invented/v1/things/b', { verb: 'GET', group: '', resource: '', scope: '' }],
    ['GET', '/healthz', { component: '', subresource: '/healthz', scope: '' }],
    ['GET', '/invented', { component: 'apiserver', subresource: '' }],
    ['GET', '/apis', { component: 'apiserver', subresource: 'apis' }],
    ['GET', '/openapi/v3', { component: '', subresource: 'openapi/v3' }],
    ['GET', '/openapi/v3/invented', { component: '', subresource: 'openapi/v3/' }],
    ['BREW', '/api/v1/namespaces/a/pods/b', { verb: 'other' }],
    ['POST', '/api/v1/namespaces/a/pods?dryRun=All', { dry_run: 'All' }],
    ['POST', '/api/v1/namespaces/a/pods?dryRun=Some', { dry_run: 'invalid' }],
  ])('%s %s', async (method, target, expected) => {
    const { serve, lines } = counting();
    await serve(method, target);
    expect(labels(await lines('apiserver_request_total'))).toEqual([
      expect.objectContaining({ code: '200', component: 'apiserver', ...expected }),
    ]);
  });

  it('distinguish apply from other patches', async () => {
    const { serve, lines } = counting();
    await serve('PATCH', '/api/v1/namespaces/a/pods/b', answer(201), {
      'content-type': 'application/apply-patch+yaml',
    });
    expect(labels(await lines('apiserver_request_total'))).toEqual([
      expect.objectContaining({ verb: 'APPLY', code: '201' }),
    ]);
  });

  it('count requests that throw', async () => {
    const { serve, lines } = counting();
    const failing: Handler = (context) => {
      context.status = 500;
      throw new Error('x');
    };
    await expect(serve('GET', '/api/v1/pods', failing)).rejects.toThrow('x');
    expect(labels(await lines('apiserver_request_total'))).toEqual([
      expect.objectContaining({ code: '500' }),
    ]);
  });

  it('measure the size of read responses', async () => {
    const { serve, lines, catalog } = counting();
    catalog.change({ add: [{ ...rowOf('g.test', 'v1', 'things', 'Thing'), customKind: {} as never }] });
    await serve('GET', '/api/v1/pods', answer(200, 'x'.repeat(1234)));
    await serve('GET', '/api/v1/pods?watch=1', answer(200, 'x'.repeat(5)));
    await serve('GET', '/apis/g.test/v1/things?watch=1', answer(200, 'x'));
    await serve('POST', '/api/v1/namespaces/a/pods', answer(201, 'x'));
    expect(await lines('apiserver_response_sizes_sum')).toEqual([
      expect.stringMatching(/verb="LIST".* 1234$/),
      expect.stringMatching(/resource="pods".*verb="WATCH".* 5$/),
    ]);
    expect(await lines('apiserver_request_duration_seconds_count')).toHaveLength(4);
  });

  it('count requests in flight and long-running ones', async () => {
    const { serve, lines } = counting();
    let release = () => {};
    const open: Handler = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const watch = serve('GET', '/api/v1/pods?watch=true', open);
    const endWatch = release;
    const create = serve('POST', '/api/v1/namespaces/a/pods', open);
    expect(await lines('apiserver_longrunning_requests')).toEqual([
      expect.stringMatching(/verb="WATCH".* 1$/),
    ]);
    expect(await lines('apiserver_current_inflight_requests')).toEqual([
      'apiserver_current_inflight_requests{request_kind="mutating"} 1',
      'apiserver_current_inflight_requests{request_kind="readOnly"} 0',
    ]);
    release();
    endWatch();
    await Promise.all([watch, create]);
    expect(await lines('apiserver_longrunning_requests')).toEqual([expect.stringMatching(/ 0$/)]);
  });

  it('record the use of deprecated resources', async () => {
    const { serve, lines } = counting();
    await serve('GET', '/api/v1/pods');
    await serve('GET', '/api/v1/componentstatuses', answer(403));
    expect(await lines('apiserver_requested_deprecated_apis')).toEqual([]);
    const reached: Handler = (context) => {
      context.annotations.set('k8s.io/deprecated', 'true').set('k8s.io/removed-release', '1.40');
      return answer(200)(context);
    };
    await serve('GET', '/api/v1/componentstatuses', reached);
    expect(await lines('apiserver_requested_deprecated_apis')).toEqual([
      'apiserver_requested_deprecated_apis{group="",removed_release="1.40",resource="componentstatuses",subresource="",version="v1"} 1',
    ]);
  });
});
