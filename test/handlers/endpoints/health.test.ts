import { describe, expect, it } from 'vitest';
import {
  createHealth,
  type HealthCheck,
  type HealthOptions,
  startupStep,
} from '../../../src/handlers/endpoints/health.ts';
import { pageNotFound } from '../../../src/handlers/router.ts';
import { createLogger, SILENT } from '../../../src/observability/log.ts';
import { request, textOf } from '../../filters/context.ts';

function serve(checks: HealthCheck[], options: Partial<HealthOptions> = {}) {
  const { paths } = createHealth({ checks, livezGracePeriod: 0, now: () => 0, logger: SILENT, ...options });
  return async (target: string, method = 'GET') => {
    const { context, response } = request(method, target);
    const [, handler] = paths.find(([path]) => path === context.info.path) ?? ['', pageNotFound];
    await handler(context);
    const answer = await response;
    return { status: answer.status, headers: answer.headers, body: await textOf(answer) };
  };
}
const good = (name: string): HealthCheck => ({ name, check: () => undefined });
const bad = (name: string): HealthCheck => ({ name, check: () => new Error('the disk is full') });

describe('health endpoints', () => {
  it('respond with ok', async () => {
    const sendRequest = serve([good('ping')]);
    const answer = await sendRequest('/livez');
    expect(answer).toMatchObject({
      status: 200,
      body: 'ok',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
    expect(await sendRequest('/livez', 'POST')).toMatchObject({ status: 200, body: 'ok' });
  });

  it('list the checks with verbose', async () => {
    const sendRequest = serve([
      good('ping'),
      good('poststarthook/rbac/bootstrap-roles'),
      { ...good('shutdown'), endpoints: ['readyz'] },
    ]);
    expect((await sendRequest('/readyz?verbose')).body).toBe(
      '[+]ping ok\n[+]poststarthook/rbac/bootstrap-roles ok\n[+]shutdown ok\nreadyz check passed\n',
    );
    expect((await sendRequest('/healthz?verbose=0')).body).toBe(
      '[+]ping ok\n[+]poststarthook/rbac/bootstrap-roles ok\nhealthz check passed\n',
    );
  });

  it('log the reason of a failure and do not return it', async () => {
    const lines: string[] = [];
    const sendRequest = serve([good('ping'), bad('etcd')], {
      logger: createLogger({ format: 'text', verbosity: 0, write: (line) => lines.push(line) }),
    });
    const answer = await sendRequest('/readyz');
    expect(answer).toMatchObject({
      status: 500,
      body: '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
      headers: { 'x-content-type-options': 'nosniff' },
    });
    expect(lines.join('')).toContain('the disk is full');
  });

  it('skip excluded checks and report unknown ones', async () => {
    const sendRequest = serve([good('ping'), bad('etcd')]);
    expect(await sendRequest('/readyz?exclude=etcd')).toMatchObject({ status: 200, body: 'ok' });
    expect((await sendRequest('/readyz?verbose&exclude=etcd&exclude=z&exclude=b')).body).toBe(
      '[+]ping ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "b","z"\nreadyz check passed\n',
    );
  });

  it('serve single checks', async () => {
    const sendRequest = serve([
      good('poststarthook/a/b'),
      bad('etcd'),
      { ...good('shutdown'), endpoints: ['readyz'] },
    ]);
    expect(await sendRequest('/livez/poststarthook/a/b?verbose')).toMatchObject({ status: 200, body: 'ok' });
    expect(await sendRequest('/livez/etcd')).toMatchObject({
      status: 500,
      body: 'internal server error: the disk is full\n',
    });
    for (const absent of ['/livez/shutdown', '/livez/', '/livez/etcd/x', '/livez/__proto__'])
      expect(await sendRequest(absent)).toMatchObject({ status: 404, body: '404 page not found\n' });
    expect(await sendRequest('/readyz/shutdown')).toMatchObject({ status: 200 });
  });

  it('treat unfinished steps as live during the grace period', async () => {
    let now = 0;
    const step = startupStep('poststarthook/x');
    const sendRequest = serve([step.check], { livezGracePeriod: 1000, now: () => now });
    expect((await sendRequest('/livez')).status).toBe(200);
    expect((await sendRequest('/readyz')).status).toBe(500);
    now = 1000;
    expect((await sendRequest('/livez')).status).toBe(500);
    step.finish();
    expect((await sendRequest('/livez')).status).toBe(200);
    expect((await sendRequest('/readyz')).status).toBe(200);
  });

  it('report results and run the checks on every request', async () => {
    const results: [string, string, boolean][] = [];
    let error: Error | undefined;
    const sendRequest = serve([{ name: 'etcd', check: () => error }], {
      onResult: (...result) => results.push(result),
    });
    await sendRequest('/livez');
    error = new Error('x');
    await sendRequest('/healthz');
    expect(results).toEqual([
      ['livez', 'etcd', true],
      ['healthz', 'etcd', false],
    ]);
  });
});
