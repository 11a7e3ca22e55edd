import { setTimeout } from 'node:timers/promises';
import type { Listener } from '../connection/listener.ts';
import type { Registry } from '../registry/registry.ts';

/** Longest time for in-flight requests, in milliseconds. */
const DRAIN_MILLISECONDS = 8000;
const CHECK_MILLISECONDS = 50;

export interface DrainOptions {
  readonly listener: Pick<Listener, 'drain' | 'counters'>;
  readonly registry: Pick<Registry, 'endAllWatches' | 'endWatchesOver'>;
  /** Time over which watches are ended in milliseconds; 0: at once. */
  readonly watchGrace: number;
  /** Whether the listener stays open until the requests in flight have ended, to reject new ones. */
  readonly keepsListening: boolean;
}

/** Ends the watches and waits for the requests in flight. */
export async function drainRequests(options: DrainOptions): Promise<void> {
  const { listener, registry, watchGrace, keepsListening } = options;
  const endWatches = async (): Promise<void> => {
    if (watchGrace > 0) await registry.endWatchesOver(watchGrace);
    registry.endAllWatches();
  };
  if (keepsListening) {
    await endWatches();
    const end = performance.now() + DRAIN_MILLISECONDS;
    while (listener.counters.openExchanges > 0 && performance.now() < end)
      await setTimeout(CHECK_MILLISECONDS);
  }
  const drained = listener.drain(DRAIN_MILLISECONDS + watchGrace);
  if (keepsListening) registry.endAllWatches();
  else await endWatches();
  await drained;
}
