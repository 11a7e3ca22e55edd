import { beforeEach, describe, expect, it } from 'vitest';
import type { RuleName } from '../../../src/scheduler/filters/filter.ts';
import { SchedulingQueue } from '../../../src/scheduler/queue/scheduling-queue.ts';
import { ManualClock } from '../../reconcile/manual-clock.ts';
import { node, requesting, running, waiting } from './pods.ts';

const MINUTE = 60_000;
const rules = (...names: RuleName[]): ReadonlySet<RuleName> => new Set(names);
const GATED = { schedulingGates: [{ name: 'wait' }] };
const CPU = requesting({ cpu: '1' });

let clock: ManualClock;
let queue: SchedulingQueue;
let readied: number;
beforeEach(() => {
  clock = new ManualClock();
  readied = 0;
  queue = new SchedulingQueue({
    clock,
    heldBy: ({ gates }) => (gates.length > 0 ? 'SchedulingGates' : undefined),
    onReady: () => {
      readied += 1;
    },
  });
});

const nextName = (): string | undefined => queue.next()?.pod.info.name;
/** Takes the next pod and rejects it. */
const rejectNext = (...names: RuleName[]): void => {
  const entry = queue.next();
  expect(entry).toBeDefined();
  queue.reject(entry!, rules(...names));
};
const freed = { kind: 'pod', before: running('gone', CPU), after: undefined } as const;

describe('the order', () => {
  it('is by priority, then by age, then by arrival', () => {
    queue.put(waiting('low', { priority: 1 }));
    queue.put(waiting('second', { priority: 1 }));
    clock.advance(1000);
    queue.put(waiting('young', { priority: 1 }));
    queue.put(waiting('high', { priority: 5 }));
    expect([nextName(), nextName(), nextName(), nextName(), nextName()]).toEqual([
      'high',
      'low',
      'second',
      'young',
      undefined,
    ]);
  });

  it('follows a change of the priority', () => {
    queue.put(waiting('a', { priority: 1 }));
    queue.put(waiting('b', { priority: 2 }));
    queue.put(waiting('a', { priority: 3 }));
    expect([nextName(), nextName()]).toEqual(['a', 'b']);
  });

  it('puts a pod that was rejected behind those that came before its rejection', () => {
    queue.put(waiting('rejected', CPU));
    clock.advance(10);
    rejectNext('NodeResourcesFit');
    queue.put(waiting('other'));
    queue.happened(freed);
    clock.advance(1000);
    queue.put(waiting('late'));
    expect([nextName(), nextName(), nextName()]).toEqual(['rejected', 'other', 'late']);
  });
});

describe('a rejected pod', () => {
  beforeEach(() => queue.put(waiting('pod', CPU)));

  it('waits for an event that may help, and for the end of its back-off', () => {
    rejectNext('NodeResourcesFit');
    queue.happened({ kind: 'pod', before: undefined, after: running('more', CPU) });
    expect(queue.counts()).toMatchObject({ waiting: 1 });
    queue.happened(freed);
    expect(queue.counts()).toMatchObject({ backingOff: 1 });
    clock.advance(999);
    expect(queue.hasNext).toBe(false);
    clock.advance(1);
    expect(nextName()).toBe('pod');
  });

  it('has its turn at once when the back-off is over', () => {
    rejectNext('NodeResourcesFit');
    clock.advance(1000);
    queue.happened(freed);
    expect(queue.hasNext).toBe(true);
  });

  it('waits for longer each time, up to ten seconds', () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      rejectNext('NodeResourcesFit');
      queue.happened(freed);
      const from = clock.now();
      while (!queue.hasNext) clock.advance(500);
      waits.push(clock.now() - from);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('is tried again after five minutes without an event', () => {
    rejectNext('NodeResourcesFit');
    clock.advance(5 * MINUTE - 1);
    expect(queue.hasNext).toBe(false);
    clock.advance(1);
    expect(nextName()).toBe('pod');
  });

  it('is tried again after its back-off when something was wrong', () => {
    rejectNext();
    expect(queue.counts()).toMatchObject({ backingOff: 1 });
    clock.advance(1000);
    expect(nextName()).toBe('pod');
  });

  it('is tried again when an event that may help came while it was decided about', () => {
    const entry = queue.next()!;
    queue.happened(freed);
    queue.reject(entry, rules('NodeResourcesFit'));
    expect(queue.counts()).toMatchObject({ backingOff: 1 });
  });

  it('waits when the events that came meanwhile do not help', () => {
    const entry = queue.next()!;
    queue.happened({ kind: 'node', before: node(), after: undefined });
    queue.reject(entry, rules('NodeResourcesFit'));
    expect(queue.counts()).toMatchObject({ waiting: 1 });
  });

  it('is tried again when more events came meanwhile than are kept', () => {
    const entry = queue.next()!;
    for (let count = 0; count <= 256; count += 1)
      queue.happened({ kind: 'node', before: node(), after: undefined });
    queue.reject(entry, rules('NodeResourcesFit'));
    expect(queue.counts()).toMatchObject({ backingOff: 1 });
  });

  it('is tried again when it changes so that it may fit', () => {
    rejectNext('NodeResourcesFit');
    queue.put(waiting('pod', requesting({ cpu: '1' }), { annotations: { some: 'note' } }));
    expect(queue.counts()).toMatchObject({ waiting: 1 });
    queue.put(waiting('pod', requesting({ cpu: '500m' })));
    expect(queue.counts()).toMatchObject({ backingOff: 1 });
    clock.advance(1000);
    expect(queue.next()?.pod.info.requests.milliCpu).toBe(500);
  });

  it('can be tried at once', () => {
    rejectNext('NodeResourcesFit');
    queue.activate('one/pod');
    expect(nextName()).toBe('pod');
    queue.activate('one/absent');
  });
});

describe('a held pod', () => {
  it('waits until nothing holds it, without a timer', () => {
    queue.put(waiting('gated', GATED));
    expect([queue.counts().held, queue.hasNext, clock.waiting, readied]).toEqual([1, false, 0, 0]);
    clock.advance(10 * MINUTE);
    expect(queue.hasNext).toBe(false);
    queue.put(waiting('gated'));
    expect([nextName(), readied]).toEqual(['gated', 1]);
  });

  it('is not charged for an attempt when it was its turn', () => {
    queue.put(waiting('pod'));
    queue.hold(queue.next()!, 'DynamicResources');
    expect(queue.counts()).toMatchObject({ held: 1 });
    queue.activate('one/pod');
    queue.happened({ kind: 'resourceSlice', before: undefined, after: {} });
    const entry = queue.next()!;
    expect(entry.attempts).toBe(1);
  });
});

describe('a pod that is gone', () => {
  it('leaves each place', () => {
    for (const name of ['inFlight', 'waiting', 'backingOff', 'ready']) queue.put(waiting(name, CPU));
    queue.put(waiting('held', GATED));
    const inFlight = queue.next()!;
    rejectNext('NodeResourcesFit');
    rejectNext();
    expect(queue.counts()).toEqual({ inFlight: 1, waiting: 1, backingOff: 1, ready: 1, held: 1 });
    for (const name of ['inFlight', 'waiting', 'backingOff', 'ready', 'held']) queue.remove(`one/${name}`);
    expect([queue.size, queue.hasNext, clock.waiting]).toEqual([0, false, 0]);
    queue.reject(inFlight, rules('NodeResourcesFit'));
    queue.remove('one/absent');
    expect([queue.size, clock.waiting]).toEqual([0, 0]);
  });

  it('does not pass its place on to another of its name', () => {
    queue.put(waiting('pod', CPU));
    const first = queue.next()!;
    queue.put(waiting('pod', CPU, { uid: 'another' }));
    queue.reject(first, rules('NodeResourcesFit'));
    expect(queue.counts()).toMatchObject({ ready: 1, waiting: 0 });
    expect(queue.next()?.pod.info.uid).toBe('another');
  });
});

it('has a timer only while pods wait for a time', () => {
  expect(clock.waiting).toBe(0);
  queue.put(waiting('pod', CPU));
  expect(clock.waiting).toBe(0);
  rejectNext('NodeResourcesFit');
  expect(clock.waiting).toBe(1);
  queue.activate('one/pod');
  clock.advance(5 * MINUTE);
  expect(clock.waiting).toBe(0);
  rejectNext('NodeResourcesFit');
  queue.clear();
  expect([clock.waiting, queue.size]).toEqual([0, 0]);
});
