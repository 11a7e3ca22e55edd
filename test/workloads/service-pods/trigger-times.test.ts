import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../src/model/time.ts';
import { TriggerTimes, withTriggerTime } from '../../../src/workloads/service-pods/trigger-times.ts';
import { NOW } from '../../reconcile/pods/pods.ts';
import { endpointPod, service } from './objects.ts';

const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);
const created = (seconds: number) => service({}, { creationTimestamp: ago(seconds) });

describe('the trigger time of endpoints', () => {
  it('is the creation of a Service that was not reconciled before', () => {
    const times = new TriggerTimes();
    expect(times.has('ns/web')).toBe(false);
    expect(times.observe('ns/web', created(100), [endpointPod('a', { ready: 5 })])).toBe(ago(100));
    expect(times.has('ns/web')).toBe(true);
  });

  it('is the first change of readiness since then, and none without a change', () => {
    const times = new TriggerTimes();
    times.observe('ns/web', created(100), [endpointPod('a', { ready: 50 }), endpointPod('b', { ready: 50 })]);
    const later = [
      endpointPod('a', { ready: 20 }),
      endpointPod('b', { ready: 30 }),
      endpointPod('c', { ready: 40 }),
    ];
    expect(times.observe('ns/web', created(100), later.slice(0, 2))).toBe(ago(30));
    expect(times.observe('ns/web', created(100), later)).toBe(ago(40));
    expect(times.observe('ns/web', created(100), later)).toBeUndefined();
    expect(times.observe('ns/web', created(10), later)).toBe(ago(10));
    times.forget('ns/web');
    expect(times.observe('ns/web', created(10), later)).toBe(ago(10));
  });

  it('replaces the annotation of an earlier one', () => {
    const name = 'endpoints.kubernetes.io/last-change-trigger-time';
    expect(withTriggerTime({ [name]: 'then', other: 'a' }, 'now')).toEqual({ [name]: 'now', other: 'a' });
    expect(withTriggerTime({ [name]: 'then', other: 'a' }, undefined)).toEqual({ other: 'a' });
  });
});
