import type { Resources } from '../resources/resources.ts';
import type { Storage } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { pause } from '../time/pause.ts';
import type { Activity } from './activity.ts';

/** Turns of the event loop between two looks: what an event of the store begins has begun by then. */
const TURNS = 3;
/** Looks until there is a pause between them too: what goes on waits for something outside. */
const MOST_LOOKS = 100;
/** The pause, in milliseconds. */
const INTERVAL = 1;

export interface QuiescenceParts {
  readonly resources: Pick<Resources, 'stored'>;
  readonly storage: Pick<Storage, 'currentRevision'>;
  readonly activity: Pick<Activity, 'isIdle'>;
}

/**
 * Resolves when a cluster does nothing of its own accord: its queues and its requests inside the process are idle,
 * the store has not changed between two looks, and every event has been delivered to those who read as fast as it
 * comes. Requests of clients that have not been answered can still write. It never resolves while something goes on
 * for ever; the caller decides how long it waits.
 */
export async function quiescent({ resources, storage, activity }: QuiescenceParts): Promise<void> {
  let before = -1;
  for (let looks = 1; ; looks += 1) {
    const revision = await storage.currentRevision();
    const caches = [...resources.stored].map(({ cache }) => cache).filter(({ isLive }) => isLive);
    await Promise.all(caches.map((cache) => cache.waitFresh('latest')));
    const isQuiet = activity.isIdle && caches.every(({ hasDelivered }) => hasDelivered);
    if (isQuiet && revision === before) return;
    before = isQuiet ? revision : -1;
    for (let turn = 0; turn < TURNS; turn += 1) await yieldToEventLoop();
    if (looks > MOST_LOOKS) await pause(INTERVAL, processClock);
  }
}
