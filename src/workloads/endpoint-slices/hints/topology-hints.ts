import type { AddressFamily } from '../../../addresses/address.ts';
import type { Service } from '../../../model/generated/core-v1.ts';
import type { EventType } from '../../../reconcile/events/recorder.ts';
import type { SliceChanges } from '../changes.ts';
import { isOverloaded, type ZoneCounts } from './allocation.ts';
import { withoutAnyHints, withPreference } from './traffic-distribution.ts';
import { withZoneHints } from './zone-hints.ts';
import type { ZoneShares } from './zones.ts';

/** Annotations that ask for hints; the older one takes precedence. */
const OLDER_ANNOTATION = 'service.kubernetes.io/topology-aware-hints';
const ANNOTATION = 'service.kubernetes.io/topology-mode';

export interface HintEvent {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** Whether a Service asks for hints by the processors of zones. */
export function isTopologyAware({ metadata }: Service): boolean {
  const annotations = metadata?.annotations ?? {};
  const name = Object.hasOwn(annotations, OLDER_ANNOTATION) ? OLDER_ANNOTATION : ANNOTATION;
  return Object.hasOwn(annotations, name) && ['Auto', 'auto'].includes(annotations[name]!);
}

/** Gives endpoints hints, and remembers which zones those of each Service serve. */
export class TopologyHints {
  #shares: ZoneShares | undefined;
  readonly #counts = new Map<string, Map<AddressFamily, ZoneCounts>>();
  /** Services whose endpoints have hints by zones. */
  readonly #hinted = new Set<string>();

  /** The zones of the nodes have changed. @returns the keys of Services whose hints do not fit any more */
  setShares(shares: ZoneShares | undefined): readonly string[] {
    this.#shares = shares;
    return [...this.#counts].flatMap(([key, families]) =>
      [...families.values()].some((counts) => isOverloaded(counts, shares)) ? [key] : [],
    );
  }

  /** The same changes with hints as the Service asks for them, and the events that report it. */
  apply(
    key: string,
    service: Service,
    family: AddressFamily,
    changes: SliceChanges,
  ): { readonly changes: SliceChanges; readonly events: readonly HintEvent[] } {
    if (!isTopologyAware(service)) {
      const wasHinted = this.#hinted.has(key);
      this.remove(key, family);
      return {
        changes: withPreference(changes, service.spec?.trafficDistribution),
        events: wasHinted ? [disabled('Topology Aware Hints has been disabled', family)] : [],
      };
    }
    const hinted = withZoneHints(changes, this.#shares);
    if ('problem' in hinted) {
      this.remove(key, family);
      return { changes: withoutAnyHints(changes), events: [disabled(hinted.problem, family)] };
    }
    const wasHinted = this.#hinted.has(key);
    const families = this.#counts.get(key) ?? new Map<AddressFamily, ZoneCounts>();
    this.#counts.set(key, families.set(family, hinted.counts));
    this.#hinted.add(key);
    return { changes: hinted.changes, events: wasHinted ? [] : [enabled(family)] };
  }

  /** The endpoints of a family of a Service have no hints by zones any more. */
  remove(key: string, family: AddressFamily): void {
    const families = this.#counts.get(key);
    families?.delete(family);
    if (families?.size === 0) this.#counts.delete(key);
    this.#hinted.delete(key);
  }

  /** The Service is gone. */
  forget(key: string): void {
    this.#counts.delete(key);
    this.#hinted.delete(key);
  }
}

const withFamily = (text: string, family: AddressFamily): string => `${text}, addressType: ${family}`;

const disabled = (text: string, family: AddressFamily): HintEvent => ({
  type: 'Warning',
  reason: 'TopologyAwareHintsDisabled',
  message: withFamily(text, family),
});

const enabled = (family: AddressFamily): HintEvent => ({
  type: 'Normal',
  reason: 'TopologyAwareHintsEnabled',
  message: withFamily('Topology Aware Hints has been enabled', family),
});
