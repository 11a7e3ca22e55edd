import { describe, expect, it } from 'vitest';
import { AdjustableClock } from '../../src/time/adjustable-clock.ts';
import { type ClusterClock, holdingClock, type ProcessClock, processClock } from '../../src/time/clock.ts';
import { ManualProcess } from '../support/manual-process.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const NEXT_DECADE = Date.parse('2030-01-01T00:00:00Z');
const DAY = 86_400_000;

function clocks() {
  const process = new ManualProcess(START);
  const clock = new AdjustableClock(process);
  const log: string[] = [];
  const note = (name: string) => () => void log.push(`${name} ${clock.now() - START}`);
  return { process, clock, log, note };
}

describe('a cluster clock that runs', () => {
  it('shows the time of the process', () => {
    const { process, clock } = clocks();
    expect(clock.now()).toBe(START);
    process.pass(1500);
    expect(clock.now()).toBe(START + 1500);
    process.wall += 3600_000;
    expect(clock.now()).toBe(START + 1500 + 3600_000);
  });

  it('fires timers in the order of their times, equal ones in that of their creation', () => {
    const { process, clock, log, note } = clocks();
    for (const [name, milliseconds] of [
      ['c', 30],
      ['a', 10],
      ['b', 10],
      ['d', 40],
    ] as const)
      clock.after(milliseconds, note(name));
    clock.after(20, note('cancelled'))();
    process.pass(35);
    expect(log).toEqual(['a 10', 'b 10', 'c 30']);
    process.pass(5);
    expect(log.at(-1)).toBe('d 40');
  });

  it('has one timer of the process, and none without timers of its own', () => {
    const { process, clock } = clocks();
    const cancels = [clock.after(50, () => undefined), clock.after(10, () => undefined)];
    clock.after(70, () => undefined);
    expect(process.timers).toBe(1);
    for (const cancel of cancels) cancel();
    process.pass(70);
    expect(process.timers).toBe(0);
    const cancel = clock.after(1000, () => undefined);
    cancel();
    cancel();
    expect(process.timers).toBe(0);
  });

  it('fires a timer of more than 2^31 milliseconds', () => {
    const { process, clock, log, note } = clocks();
    clock.after(100 * DAY, note('late'));
    expect(process.waits).toEqual([2 ** 31 - 1]);
    process.pass(100 * DAY - 1);
    expect(log).toEqual([]);
    process.pass(1);
    expect(log).toEqual([`late ${100 * DAY}`]);
  });

  it('does not count a change of the wall clock of the machine as time that a timer waited', () => {
    const { process, clock, log, note } = clocks();
    clock.after(10, note('timer'));
    process.wall -= 3600_000;
    process.pass(10);
    expect(log).toEqual([`timer ${10 - 3600_000}`]);
  });

  it('repeats a periodic timer until it is cancelled, once after a pause of the process', () => {
    const { process, clock, log, note } = clocks();
    const cancel = clock.every(10, note('tick'));
    process.pass(20);
    expect(log).toEqual(['tick 10', 'tick 20']);
    process.wall += 95;
    process.pass(95);
    cancel();
    const seen = log.length;
    process.pass(100);
    expect(log).toHaveLength(seen);
  });

  it('calls the other timers when one throws, and leaves the error to the process', () => {
    const { process, clock, log, note } = clocks();
    const errors: (() => void)[] = [];
    const own = new AdjustableClock({
      ...process,
      now: process.now,
      soon: (callback) => void errors.push(callback),
    } as ProcessClock);
    own.after(5, () => {
      throw new Error('of a timer');
    });
    own.after(5, note('next'));
    process.pass(5);
    expect(log).toEqual(['next 5']);
    expect(errors[0]).toThrow('of a timer');
    expect(clock.now()).toBe(START + 5);
  });
});

describe('a frozen cluster clock', () => {
  it('stands still, and fires no timer but those that are due at once', () => {
    const { process, clock, log, note } = clocks();
    clock.after(10, note('later'));
    clock.freeze();
    clock.after(0, note('now'));
    clock.after(-5, note('past'));
    process.pass(DAY);
    expect(clock.now()).toBe(START);
    expect(log).toEqual(['now 0', 'past 0']);
    expect(clock.isFrozen).toBe(true);
  });

  it('runs on from the time at which it stood', () => {
    const { process, clock, log, note } = clocks();
    clock.after(10, note('timer'));
    clock.freeze();
    process.pass(DAY);
    clock.run();
    process.pass(9);
    expect(log).toEqual([]);
    process.pass(1);
    expect(log).toEqual(['timer 10']);
    expect(clock.now()).toBe(START + 10);
  });

  it('runs while it runs', () => {
    const { process, clock } = clocks();
    clock.run();
    process.pass(10);
    expect(clock.now()).toBe(START + 10);
  });
});

describe('a cluster clock that is advanced', () => {
  it('fires each timer at the time at which it is due, also those that timers create', async () => {
    const { clock, log, note } = clocks();
    clock.freeze();
    const cancel = clock.every(1000, note('tick'));
    clock.after(1500, () => {
      note('first')();
      clock.after(1000, note('second'));
    });
    await clock.advance(3000);
    expect(log).toEqual(['tick 1000', 'first 1500', 'tick 2000', 'second 2500', 'tick 3000']);
    expect(clock.now()).toBe(START + 3000);
    cancel();
    await clock.advance(3000);
    expect(log).toHaveLength(5);
  });

  it('gives what a timer starts a turn of the event loop before the time moves on', async () => {
    const { clock, log, note } = clocks();
    clock.freeze();
    clock.after(10, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      note('reaction')();
      clock.after(10, note('next'));
    });
    await clock.advance(100);
    expect(log).toEqual(['reaction 10', 'next 20']);
  });

  it('leaves the event loop turns while it fires many timers', async () => {
    const { clock } = clocks();
    let fired = 0;
    let most = 0;
    let before = 0;
    let watching = true;
    const count = (): void => {
      fired += 1;
    };
    for (let index = 0; index < 1000; index += 1) clock.after(5, count);
    const watch = (): void => {
      most = Math.max(most, fired - before);
      before = fired;
      if (watching) setImmediate(watch);
    };
    watch();
    await clock.advance(5);
    watching = false;
    expect(fired).toBe(1000);
    expect(most).toBeLessThanOrEqual(200);
  });

  it('goes on running from there', async () => {
    const { process, clock, log, note } = clocks();
    clock.after(DAY + 10, note('timer'));
    await clock.advance(DAY);
    expect(clock.now()).toBe(START + DAY);
    process.pass(10);
    expect(log).toEqual([`timer ${DAY + 10}`]);
  });

  it('goes further when it is advanced on its way', async () => {
    const { clock, log, note } = clocks();
    clock.freeze();
    clock.after(300, note('timer'));
    await Promise.all([clock.advance(200), clock.advance(200)]);
    expect(log).toEqual(['timer 300']);
    expect(clock.now()).toBe(START + 400);
  });

  it('can be frozen on its way', async () => {
    const { process, clock } = clocks();
    const arrival = clock.advance(200);
    clock.freeze();
    await arrival;
    process.pass(10);
    expect(clock.now()).toBe(START + 200);
  });

  it('can be let run on its way', async () => {
    const { process, clock } = clocks();
    clock.freeze();
    const arrival = clock.advance(200);
    clock.run();
    await arrival;
    process.pass(10);
    expect(clock.now()).toBe(START + 210);
  });

  it('fires the repetition of a timer of 0 milliseconds with the process, not with the advance', async () => {
    const { process, clock } = clocks();
    let calls = 0;
    const again = (): void => {
      calls += 1;
      clock.after(0, again);
    };
    clock.freeze();
    clock.after(1, again);
    await clock.advance(DAY);
    expect(calls).toBe(1);
    expect(process.waits).toEqual([0]);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', async (milliseconds) => {
    const { process, clock } = clocks();
    expect(() => clock.advance(milliseconds)).toThrow(RangeError);
    process.pass(1);
    expect(clock.now()).toBe(START + 1);
  });

  it('refuses a time after the year 9999 and runs on', () => {
    const { process, clock } = clocks();
    expect(() => clock.advance(8000 * 366 * DAY)).toThrow('from 1970 to 9999');
    process.pass(1);
    expect(clock.now()).toBe(START + 1);
  });
});

describe('a cluster clock that is set', () => {
  it('fires what is due until then', async () => {
    const { process, clock, log, note } = clocks();
    clock.after(DAY, note('tomorrow'));
    clock.after(3000 * DAY, note('in eight years'));
    await clock.set(NEXT_DECADE);
    expect(log).toEqual([`tomorrow ${DAY}`]);
    expect(clock.now()).toBe(NEXT_DECADE);
    process.pass(5);
    expect(clock.now()).toBe(NEXT_DECADE + 5);
  });

  it('has its timers later when it is set back', async () => {
    const { process, clock, log, note } = clocks();
    clock.after(10, note('timer'));
    await clock.set(START - 1000);
    process.pass(1009);
    expect(log).toEqual([]);
    process.pass(1);
    expect(log).toEqual(['timer 10']);
  });

  it('can be set back on its way', async () => {
    const { clock, log, note } = clocks();
    clock.freeze();
    clock.after(10, note('timer'));
    const arrival = clock.set(NEXT_DECADE);
    await clock.set(START - 5);
    await arrival;
    expect(log).toEqual([]);
    expect(clock.now()).toBe(START - 5);
  });

  it('tells caches that the time has jumped', async () => {
    const { clock } = clocks();
    let jumps = 0;
    const stop = clock.onJump(() => {
      jumps += 1;
    });
    await clock.set(NEXT_DECADE);
    await clock.advance(1);
    clock.freeze();
    clock.run();
    expect(jumps).toBe(2);
    stop();
    await clock.advance(1);
    expect(jumps).toBe(2);
  });

  it.each([-1, 0.5, Number.NaN, 253_402_300_800_000])('refuses %s', (time) => {
    const { clock } = clocks();
    expect(() => clock.set(time)).toThrow('from 1970 to 9999');
  });
});

describe('the two kinds of clocks', () => {
  it('are not assignable to each other, nor are their members', () => {
    const cluster: ClusterClock = new AdjustableClock(processClock);
    // @ts-expect-error a cluster's clock is not that of the process
    const process: Pick<ProcessClock, 'now' | 'after'> = cluster;
    // @ts-expect-error the clock of the process is not that of a cluster
    const picked: Pick<ClusterClock, 'now'> = processClock;
    // @ts-expect-error a single member keeps its kind
    const now: ClusterClock['now'] = processClock.now;
    // @ts-expect-error the implementation keeps it too
    const own: Pick<ProcessClock, 'after'> = new AdjustableClock(processClock);
    expect([process, picked, now, own]).toHaveLength(4);
  });

  it('are both what a test makes of functions', () => {
    const test = { now: () => 5, after: () => () => undefined };
    const process: Pick<ProcessClock, 'now' | 'after'> = test;
    const cluster: Pick<ClusterClock, 'now' | 'after'> = test;
    expect(process.now() + cluster.now()).toBe(10);
  });
});

describe('the clock of the process', () => {
  it.each([processClock, holdingClock])('fires and cancels its timers', async (clock) => {
    const fired: string[] = [];
    clock.after(1, () => fired.push('cancelled'))();
    clock.every(1, () => fired.push('cancelled'))();
    await new Promise<void>((resolve) => void clock.after(2, resolve));
    await new Promise<void>((resolve) => {
      const cancel = clock.every(1, () => {
        cancel();
        resolve();
      });
    });
    await new Promise<void>((resolve) => clock.soon(resolve));
    expect(fired).toEqual([]);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
    expect(clock.monotonic()).toBeLessThanOrEqual(performance.now());
  });
});
