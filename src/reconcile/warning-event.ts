import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { formatTime } from '../model/time.ts';

export interface WarningOptions {
  /** Name or generateName, and namespace of the Event. */
  readonly metadata: ObjectMeta;
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  readonly reason: string;
  readonly message: string;
  /** The component that reports it. */
  readonly component: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An Event of type Warning that has occurred once. */
export function warningEvent({ component, now, ...fields }: WarningOptions): KubernetesObject {
  const time = formatTime(now);
  return {
    ...fields,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    reportingComponent: component,
  };
}
