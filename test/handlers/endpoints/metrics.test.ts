import { expect, it } from 'vitest';
import { metricsHandler } from '../../../src/handlers/endpoints/metrics.ts';
import { MetricsRegistry } from '../../../src/observability/metrics.ts';
import { request, textOf } from '../../filters/context.ts';

async function send(registry: MetricsRegistry, method: string, resettable: boolean) {
  const { context, response } = request(method, '/metrics');
  await metricsHandler(registry, resettable)(context);
  const received = await response;
  return { contentType: received.headers['content-type'], body: await textOf(received) };
}

it('serves metrics, and resets them if enabled', async () => {
  const registry = new MetricsRegistry();
  registry.counter({ name: 'x_total', help: 'X.' }).with().add(3);
  expect(await send(registry, 'DELETE', false)).toMatchObject({
    body: expect.stringContaining('x_total 3\n'),
  });
  expect(await send(registry, 'GET', true)).toEqual({
    contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=values',
    body: '# HELP x_total [ALPHA] X.\n# TYPE x_total counter\nx_total 3\n',
  });
  expect(await send(registry, 'DELETE', true)).toEqual({
    contentType: 'text/plain; charset=utf-8',
    body: 'metrics reset\n',
  });
  expect((await send(registry, 'GET', true)).body).toContain('x_total 0\n');
});

it.each([
  ['gzip', 'gzip'],
  ['deflate, gzip;q=0', 'gzip'],
  ['*', undefined],
  ['GZIP', undefined],
])('encodes metrics for a client that accepts %s', async (accepted, encoding) => {
  const { context, response } = request('GET', '/metrics', { headers: { 'accept-encoding': accepted } });
  await metricsHandler(new MetricsRegistry(), false)(context);
  const { headers } = await response;
  expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, undefined]);
});
