import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errors } from '../../src/status/index.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

let server: SmallServer;
beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

describe('a body in another version', () => {
  it.each([
    [
      'a removed version of the group',
      '/apis/apps/v1/namespaces/n/deployments',
      'apps/v1beta1',
      'Deployment',
      'apps/v1',
    ],
    [
      'the group that the kind came from',
      '/apis/apps/v1/namespaces/n/deployments',
      'extensions/v1beta1',
      'Deployment',
      'apps/v1',
    ],
    [
      'another served version',
      '/apis/autoscaling/v1/namespaces/n/horizontalpodautoscalers',
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      'autoscaling/v1',
    ],
    [
      'the other group that serves the kind',
      '/api/v1/namespaces/n/events',
      'events.k8s.io/v1',
      'Event',
      'v1',
    ],
    [
      'the other group, the other way',
      '/apis/events.k8s.io/v1/namespaces/n/events',
      'v1',
      'Event',
      'events.k8s.io/v1',
    ],
  ])('is rejected: %s', async (_, path, apiVersion, kind, expected) => {
    const { status, object } = await server.send('POST', path, { apiVersion, kind, metadata: { name: 'a' } });
    expect([status, object.message]).toEqual([
      400,
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    ]);
  });

  it.each([
    ['apps/v1', 'DaemonSet'],
    ['apps/v9', 'Deployment'],
    ['extensions/v1beta1', 'constructor'],
    ['constructor', 'Deployment'],
  ])('is not another version of the kind: %s %s', async (apiVersion, kind) => {
    const { status, object } = await server.send('POST', '/apis/apps/v1/namespaces/n/deployments', {
      apiVersion,
      kind,
      metadata: { name: 'a' },
    });
    expect([status, object.message]).toEqual([
      400,
      expect.stringContaining('cannot be handled as a Deployment'),
    ]);
  });
});

it('rejects a version that is never reached with the text that clients match', () => {
  expect(errors.resourceVersionTooLarge(9, 1).message).toBe(
    'Timeout: Too large resource version: 9, current: 1',
  );
});
