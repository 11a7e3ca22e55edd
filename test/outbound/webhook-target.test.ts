import { describe, expect, it } from 'vitest';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import { webhookTarget } from '../../src/outbound/webhook-target.ts';

const pathOf = (clientConfig: Parameters<typeof webhookTarget>[0]): string =>
  webhookTarget(clientConfig, {
    client: new OutboundClient({}),
    resolve: () => Promise.reject(new Error('not called')),
    userAgent: 'test',
    maximumRequests: 1,
    maximumWaiting: 1,
  }).path;

describe('path of a webhook', () => {
  it.each([
    ['https://hooks.test', '/'],
    ['https://hooks.test/a//b/', '/a/b'],
    ['https://hooks.test/a%62c/%2Fd', '/abc/d'],
    ['https://hooks.test/a%20b%3Fc%25/%ff/ä', '/a%20b%3Fc%25/%FF/%C3%A4'],
    ["https://hooks.test/-_.~$&+,:;=@!'()*", '/-_.~$&+,:;=@%21%27%28%29%2A'],
  ])('of %s', (url, path) => {
    expect(pathOf({ url })).toBe(path);
  });

  it('of a Service is not unescaped', () => {
    expect(pathOf({ service: { namespace: 'a', name: 'b', path: '/x%20y' } })).toBe('/x%2520y');
  });
});
