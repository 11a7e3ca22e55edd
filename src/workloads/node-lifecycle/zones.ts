import type { NodeLifecycleSettings } from './settings.ts';

/** How much of a zone is down. `initial`: not judged yet. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

/** The nodes of a zone that count. */
export interface ZoneNodes {
  readonly ready: number;
  readonly notReady: number;
}

/** Fewer nodes that are not ready are no partial disruption. */
const FEWEST_FOR_PARTIAL = 3;

export function zoneStateOf(
  { ready, notReady }: ZoneNodes,
  { unhealthyZoneThreshold }: Pick<NodeLifecycleSettings, 'unhealthyZoneThreshold'>,
): ZoneState {
  if (ready === 0 && notReady > 0) return 'full';
  const share = notReady / (ready + notReady);
  return notReady >= FEWEST_FOR_PARTIAL && share >= unhealthyZoneThreshold ? 'partial' : 'normal';
}

/** What a judgement of all zones changes. */
export interface Disruption {
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Evictions a second, of the zones in which they change. */
  readonly rates: ReadonlyMap<string, number>;
  /** All zones are down, for the first time: nothing is evicted, since the fault may be here. */
  readonly begins: boolean;
  /** Not all zones are down any more: all nodes get their grace period anew. */
  readonly ends: boolean;
}

/** Judges all zones. @param before the states after the last judgement */
export function judgeZones(
  before: ReadonlyMap<string, ZoneState>,
  zones: ReadonlyMap<string, ZoneNodes>,
  settings: NodeLifecycleSettings,
): Disruption {
  const states = new Map([...zones].map(([zone, nodes]) => [zone, zoneStateOf(nodes, settings)] as const));
  const isAllDown = [...states.values()].every((state) => state === 'full');
  const wasAllDown = [...zones.keys()].every((zone) => (before.get(zone) ?? 'initial') === 'full');
  const rates = new Map<string, number>();
  if (isAllDown && wasAllDown) return { states, rates, begins: false, ends: false };
  for (const [zone, state] of states) {
    if (isAllDown) rates.set(zone, 0);
    else if (wasAllDown || before.get(zone) !== state)
      rates.set(zone, rateOf(state, zones.get(zone)!, settings));
  }
  return { states, rates, begins: isAllDown, ends: wasAllDown };
}

function rateOf(
  state: ZoneState,
  { ready, notReady }: ZoneNodes,
  { evictionRate, secondaryEvictionRate, largeClusterThreshold }: NodeLifecycleSettings,
): number {
  if (state !== 'partial') return evictionRate;
  return ready + notReady > largeClusterThreshold ? secondaryEvictionRate : 0;
}

/** Lets things happen at a rate, one at a time. */
export class EvictionRate {
  #perSecond: number;
  #freeAt = Number.NEGATIVE_INFINITY;

  /** @param perSecond 0: never */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** When the next thing may happen, in milliseconds; infinite while nothing may. */
  nextAt(): number {
    return this.#perSecond > 0 ? this.#freeAt : Number.POSITIVE_INFINITY;
  }

  /** Something has happened. */
  take(now: number): void {
    this.#freeAt = now + 1000 / this.#perSecond;
  }

  /** Changes the rate. Who waits now, waits anew. */
  change(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    const isFree = this.nextAt() <= now;
    this.#perSecond = perSecond;
    if (perSecond > 0) this.#freeAt = isFree ? now : now + 1000 / perSecond;
  }
}
