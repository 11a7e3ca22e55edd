import { describe, expect, it } from 'vitest';
import { eventRecorder } from '../../../src/reconcile/events/recorder.ts';
import { PODS } from '../../../src/reconcile/resources.ts';
import { ApiError } from '../../../src/status/index.ts';
import { settle } from '../manual-clock.ts';
import { FakeEvents } from './fake-events.ts';

const POD = { metadata: { namespace: 'ns', name: 'p', uid: 'u', resourceVersion: '7' } };

function recorderOf(server: FakeEvents) {
  const { writer, client, clock } = server;
  const recorder = eventRecorder({ writer, client, component: 'test-controller', clock });
  return (message = 'text') => recorder.record(PODS, POD, 'Normal', 'Tested', message);
}

describe('an event recorder', () => {
  it('creates an event of the core group', async () => {
    const server = new FakeEvents();
    recorderOf(server)();
    await settle();
    expect(server.only).toEqual({
      metadata: { namespace: 'ns', name: expect.stringMatching(/^p\.[0-9a-f]{16}$/) },
      involvedObject: {
        kind: 'Pod',
        namespace: 'ns',
        name: 'p',
        uid: 'u',
        apiVersion: 'v1',
        resourceVersion: '7',
      },
      type: 'Normal',
      reason: 'Tested',
      message: 'text',
      source: { component: 'test-controller' },
      reportingComponent: 'test-controller',
      firstTimestamp: '2027-01-15T08:00:00Z',
      lastTimestamp: '2027-01-15T08:00:00Z',
      count: 1,
    });
  });

  it('puts events of the cluster scope into the namespace default', async () => {
    const server = new FakeEvents();
    const { writer, client, clock } = server;
    const recorder = eventRecorder({ writer, client, component: 'c', clock });
    const node = { group: '', version: 'v1', resource: 'nodes', kind: 'Node' };
    recorder.record(node, { metadata: { name: 'n', uid: 'n' } }, 'Warning', 'R', 'm');
    await settle();
    expect(server.only.metadata!.namespace).toBe('default');
  });

  it('counts what occurs again with a patch, and writes at once what occurs while it waits', async () => {
    const server = new FakeEvents();
    const record = recorderOf(server);
    record();
    record();
    await settle();
    expect(server.requests).toEqual(['create']);
    expect(server.only.count).toBe(2);
    server.clock.advance(5000);
    record();
    await settle();
    expect(server.requests).toEqual(['create', 'patch']);
    expect(server.only).toMatchObject({ count: 3, lastTimestamp: '2027-01-15T08:00:05Z' });
  });

  it('creates an event again that has expired', async () => {
    const server = new FakeEvents();
    const record = recorderOf(server);
    record();
    await settle();
    server.stored.clear();
    record();
    await settle();
    expect(server.requests).toEqual(['create', 'patch', 'create']);
    expect(server.only.count).toBe(2);
  });

  it('repeats what failed, and not what was refused', async () => {
    const server = new FakeEvents();
    const record = recorderOf(server);
    server.before = async () => {
      throw new Error('no connection');
    };
    record('one');
    await settle();
    server.before = () => undefined;
    server.clock.advance(10_000);
    await settle();
    expect(server.requests).toEqual(['create', 'create']);
    server.before = async () => {
      throw new ApiError(403, 'Forbidden', 'namespace is terminating', undefined);
    };
    record('two');
    await settle();
    server.clock.advance(60_000);
    await settle();
    expect(server.requests.length).toBe(3);
  });

  it('drops events with a warning when too many wait', async () => {
    const server = new FakeEvents();
    const { writer, client, clock } = server;
    server.before = () => new Promise(() => undefined);
    const recorder = eventRecorder({ writer, client, component: 'c', clock });
    for (let index = 0; index < 10_010; index += 1)
      recorder.record(PODS, { metadata: { namespace: 'ns', name: `p${index}` } }, 'Normal', 'R', 'm');
    expect(server.warnings).toEqual(['events are dropped: too many wait to be written']);
  });
});
