import type { Session } from 'node:inspector';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { BinnacleError } from '../errors/binnacle-error.ts';
import type { ProcessClock } from '../time/clock.ts';

const NANOSECONDS = 1_000_000;
/** Milliseconds between samples of the event loop's delay. */
const DELAY_RESOLUTION = 10;

/** Another profile is being taken. */
export class ProfilerBusyError extends BinnacleError {
  override name = 'ProfilerBusyError';
  readonly code = 'ERR_BINNACLE_PROFILER_BUSY';
}

/** The delay of the event loop, in milliseconds. */
interface LoopDelay {
  readonly mean: number;
  readonly maximum: number;
  percentile(percent: number): number;
}

/** Takes profiles of this process, one at a time. The inspector is loaded for the first one. */
export class ProcessProfiler {
  readonly #clock: Pick<ProcessClock, 'after'>;
  readonly #delay: IntervalHistogram | undefined;
  #busy = false;

  /** @param measuresDelay measures the delay of the event loop from now on */
  constructor(clock: Pick<ProcessClock, 'after'>, measuresDelay: boolean) {
    this.#clock = clock;
    if (measuresDelay) {
      this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION });
      this.#delay.enable();
    }
  }

  get loopDelay(): LoopDelay | undefined {
    const delay = this.#delay;
    return (
      delay && {
        mean: delay.mean / NANOSECONDS,
        maximum: delay.max / NANOSECONDS,
        percentile: (percent) => delay.percentile(percent) / NANOSECONDS,
      }
    );
  }

  cpu(seconds: number, signal: AbortSignal): Promise<string> {
    return this.#take(seconds, signal, async (session, wait) => {
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      await wait();
      return (await session.post('Profiler.stop')).profile;
    });
  }

  heap(seconds: number, signal: AbortSignal): Promise<string> {
    return this.#take(seconds, signal, async (session, wait) => {
      await session.post('HeapProfiler.enable');
      await session.post('HeapProfiler.startSampling');
      await wait();
      return (await session.post('HeapProfiler.stopSampling')).profile;
    });
  }

  stop(): void {
    this.#delay?.disable();
  }

  async #take(
    seconds: number,
    signal: AbortSignal,
    run: (session: AsyncSession, wait: () => Promise<void>) => Promise<unknown>,
  ): Promise<string> {
    if (this.#busy) throw new ProfilerBusyError('another profile is being taken');
    this.#busy = true;
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    try {
      const wait = () =>
        new Promise<void>((resolve) => {
          const finish = () => {
            cancel();
            signal.removeEventListener('abort', finish);
            resolve();
          };
          const cancel = this.#clock.after(seconds * 1000, finish);
          // The client is gone: the profile is not needed.
          signal.addEventListener('abort', finish, { once: true });
        });
      return JSON.stringify(await run(asyncSession(session), wait));
    } finally {
      session.disconnect();
      this.#busy = false;
    }
  }
}

interface AsyncSession {
  post(method: string): Promise<{ readonly profile?: unknown }>;
}

const asyncSession = (session: Session): AsyncSession => ({
  post: (method) =>
    new Promise((resolve, reject) => {
      session.post(method, (error, result) => (error === null ? resolve(result ?? {}) : reject(error)));
    }),
});
