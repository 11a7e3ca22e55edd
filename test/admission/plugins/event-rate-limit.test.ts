import { describe, expect, it } from 'vitest';
import type { EventLimit } from '../../../src/admission/plugin-configuration.ts';
import { eventRateLimit } from '../../../src/admission/plugins/event-rate-limit.ts';
import { user } from '../../authentication/fixtures.ts';
import { admissionRequest, admitted } from '../fixtures.ts';

function setUp(...limits: Partial<EventLimit>[]) {
  const clock = { now: 0 };
  const plugin = eventRateLimit({
    eventLimits: limits.map((limit) => ({ type: 'Server', qps: 1, burst: 2, cacheSize: 0, ...limit })),
    monotonic: () => clock.now,
  });
  const post = (changes = {}, event: object = {}) =>
    admitted(plugin, admissionRequest('events', { metadata: { name: 'e' }, ...event }, changes)).then(
      () => 'stored',
      ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
    );
  return { plugin, clock, post };
}
const REFUSED = '429 Too many requests: limit reached on type';

describe('EventRateLimit', () => {
  it('allows a burst, then the rate', async () => {
    const { clock, post } = setUp({});
    expect([await post(), await post(), await post()]).toEqual([
      'stored',
      'stored',
      `${REFUSED} Server for key `,
    ]);
    clock.now = 999;
    expect(await post()).toContain(REFUSED);
    clock.now = 1001;
    expect([await post(), await post()]).toEqual(['stored', expect.stringContaining(REFUSED)]);
    clock.now = 60_000;
    expect([await post(), await post(), await post()]).toEqual([
      'stored',
      'stored',
      expect.stringContaining(REFUSED),
    ]);
  });

  it.each<[EventLimit['type'], object, object, string]>([
    ['Namespace', { namespace: 'other' }, {}, 'n'],
    ['User', { user: user('other') }, {}, 'u'],
    [
      'SourceAndObject',
      {},
      { source: { component: 'c', host: 'h' }, involvedObject: { kind: 'Pod', name: 'p' } },
      '',
    ],
  ])('counts separately by %s', async (type, changes, event, key) => {
    const { post } = setUp({ type, burst: 1 });
    expect([await post(), await post()]).toEqual(['stored', `${REFUSED} ${type} for key ${key}`]);
    expect(await post(changes, event)).toBe('stored');
  });

  it('names the source and the object', async () => {
    const { post } = setUp({ type: 'SourceAndObject', burst: 1 });
    const event = {
      source: { component: 'c', host: 'h' },
      involvedObject: { kind: 'Pod', namespace: 'n', name: 'p', uid: 'u', apiVersion: 'v1' },
    };
    await post({}, event);
    expect(await post({}, event)).toBe(`${REFUSED} SourceAndObject for key chPodnpuv1`);
  });

  it('lets every limit count, and reports all that are reached', async () => {
    const { post } = setUp({ burst: 1 }, { type: 'Namespace', burst: 2 });
    expect([await post(), await post(), await post()]).toEqual([
      'stored',
      `${REFUSED} Server for key `,
      '429 Too many requests: [limit reached on type Server for key , limit reached on type Namespace for key n]',
    ]);
  });

  it('keeps the keys that were used last', async () => {
    const { post } = setUp({ type: 'Namespace', burst: 1, cacheSize: 2 });
    await post({ namespace: 'a' });
    await post({ namespace: 'b' });
    expect(await post({ namespace: 'a' })).toContain(REFUSED);
    await post({ namespace: 'c' });
    expect(await post({ namespace: 'a' })).toContain(REFUSED);
    expect(await post({ namespace: 'b' })).toBe('stored');
  });

  it('ignores dry runs and the events of events.k8s.io', async () => {
    const { plugin, post } = setUp({ burst: 1 });
    await post({ dryRun: true });
    await post({ dryRun: true });
    expect(await post()).toBe('stored');
    expect(plugin.handles('CREATE', 'events.k8s.io', 'events', '')).toBe(false);
  });
});
