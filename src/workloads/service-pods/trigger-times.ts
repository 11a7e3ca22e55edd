import type { Service } from '../../model/generated/core-v1.ts';
import { formatTime, timeToMilliseconds } from '../../model/time.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';

/** When what caused the last change of endpoints happened; tools measure by it how long a change takes. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

interface ServiceTimes {
  /** Milliseconds since the epoch. */
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}

/** Remembers when each Service and its Pods last changed, as they were when the Service was last reconciled. */
export class TriggerTimes {
  readonly #known = new Map<string, ServiceTimes>();

  /**
   * The first of the changes since the Service was last reconciled: its creation, or that of the readiness of a Pod. Of
   * a Service that was not reconciled before, its creation.
   * @returns a time of the API; undefined without such a change
   */
  observe(key: string, { metadata }: Service, pods: readonly PodSummary[]): string | undefined {
    const known = this.#known.get(key);
    const created =
      typeof metadata?.creationTimestamp === 'string' ? timeToMilliseconds(metadata.creationTimestamp) : 0;
    const times = new Map<string, number>();
    let first = created > (known?.service ?? 0) ? created : Number.POSITIVE_INFINITY;
    for (const { name, readinessChanged } of pods) {
      if (readinessChanged === undefined) continue;
      times.set(name, readinessChanged);
      if (readinessChanged > (known?.pods.get(name) ?? Number.NEGATIVE_INFINITY))
        first = Math.min(first, readinessChanged);
    }
    this.#known.set(key, { service: created, pods: times });
    if (known === undefined) return created === 0 ? undefined : formatTime(created);
    return first === Number.POSITIVE_INFINITY ? undefined : formatTime(first);
  }

  /** Whether the Service has been reconciled. */
  has(key: string): boolean {
    return this.#known.has(key);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Annotations with a trigger time, or without. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [TRIGGER_TIME]: _former, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [TRIGGER_TIME]: time };
}
