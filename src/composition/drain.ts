import type { Listener } from '../connection/listener.ts';
import type { Resources } from '../resources/resources.ts';
import type { ProcessClock } from '../time/clock.ts';

const CHECK_MILLISECONDS = 50;

export interface DrainOptions {
  readonly listener: Pick<Listener, 'drain' | 'counters'>;
  readonly resources: Pick<Resources, 'endAllWatches' | 'endWatchesOver'>;
  /** Longest time for the requests in flight, in milliseconds. */
  readonly limit: number;
  /** Time over which watches are ended in milliseconds; 0: at once. */
  readonly watchGrace: number;
  /** Whether the listener stays open until the requests in flight have ended, to reject new ones. */
  readonly keepsListening: boolean;
  /** Its timers keep the process alive: the store must be closed before the process ends. */
  readonly clock: Pick<ProcessClock, 'after' | 'monotonic'>;
}

/** Ends the watches and waits for the requests in flight. */
export async function drainRequests(options: DrainOptions): Promise<void> {
  const { listener, resources, limit, watchGrace, keepsListening, clock } = options;
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  const endWatches = async (): Promise<void> => {
    if (watchGrace > 0) await resources.endWatchesOver(watchGrace, wait);
    resources.endAllWatches();
  };
  if (keepsListening) {
    await endWatches();
    const end = clock.monotonic() + limit;
    while (listener.counters.openExchanges > 0 && clock.monotonic() < end) await wait(CHECK_MILLISECONDS);
  }
  const drained = listener.drain(limit + watchGrace);
  if (keepsListening) resources.endAllWatches();
  else await endWatches();
  await drained;
}
