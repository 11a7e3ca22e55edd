import { describe, expect, it } from 'vitest';
import { seriesRecorder } from '../../../src/reconcile/events/series-recorder.ts';
import { PODS } from '../../../src/reconcile/resources.ts';
import { settle } from '../manual-clock.ts';
import { FakeEvents } from './fake-events.ts';

const POD = { metadata: { namespace: 'ns', name: 'p', uid: 'u' } };
const MINUTE = 60_000;

function recorderOf(server: FakeEvents) {
  const { writer, client, clock } = server;
  const options = { writer, client, controller: 'default-scheduler', instance: 'here', clock };
  const recorder = seriesRecorder(options);
  const record = (note = 'note') =>
    recorder.record({
      resource: PODS,
      object: POD,
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note,
    });
  return { recorder, record };
}

describe('a recorder of series', () => {
  it('creates an event of events.k8s.io', async () => {
    const server = new FakeEvents();
    recorderOf(server).record('x'.repeat(2000));
    await settle();
    expect(server.only).toEqual({
      metadata: { namespace: 'ns', name: expect.stringMatching(/^p\./) },
      eventTime: '2027-01-15T08:00:00.000000Z',
      reportingController: 'default-scheduler',
      reportingInstance: 'here',
      action: 'Scheduling',
      reason: 'FailedScheduling',
      regarding: { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u', apiVersion: 'v1' },
      note: `${'x'.repeat(1020)} ...`,
      type: 'Warning',
    });
  });

  it('makes a series of the second one, whatever its note, and writes the rest when it has ended', async () => {
    const server = new FakeEvents();
    const { record } = recorderOf(server);
    record();
    await settle();
    for (let minute = 1; minute <= 5; minute += 1) {
      server.clock.advance(MINUTE);
      record(`note ${minute}`);
      await settle();
    }
    expect(server.requests).toEqual(['create', 'patch']);
    expect(server.only).toMatchObject({
      note: 'note',
      series: { count: 2, lastObservedTime: '2027-01-15T08:01:00.000000Z' },
    });
    server.clock.advance(6 * MINUTE);
    await settle();
    expect(server.only).toMatchObject({
      series: { count: 6, lastObservedTime: '2027-01-15T08:05:00.000000Z' },
    });
    record();
    await settle();
    expect(server.stored.size).toBe(2);
  });

  it('writes a long series every half an hour', async () => {
    const server = new FakeEvents();
    const { record } = recorderOf(server);
    for (let minute = 0; minute < 70; minute += 1) {
      record();
      await settle();
      server.clock.advance(MINUTE);
    }
    expect(server.requests).toEqual(['create', 'patch', 'patch', 'patch']);
  });

  it('holds no timer after its end', async () => {
    const server = new FakeEvents();
    const { recorder, record } = recorderOf(server);
    record();
    recorder.stop();
    await settle();
    server.clock.advance(60 * MINUTE);
    await settle();
    expect(server.requests).toEqual(['create']);
  });
});
