import type { ObjectReference } from '../../model/generated/core-v1.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import { formatTime } from '../../model/time.ts';
import type { ClusterClock } from '../../time/clock.ts';
import type { Resource, Writer } from '../client.ts';
import { EVENTS } from '../resources.ts';
import { type CountedEvent, EventCorrelator } from './correlator.ts';
import type { EventWriter, WrittenEvent } from './event-writer.ts';

export type EventType = 'Normal' | 'Warning';

/** Reports what happens to objects, as events of the core group that kubectl describe shows. */
export interface EventRecorder {
  /** Never waits and never fails; events that occur again are counted. */
  record(
    resource: Resource,
    object: KubernetesObject,
    type: EventType,
    reason: string,
    message: string,
  ): void;
}

export interface RecorderOptions {
  readonly writer: EventWriter;
  /** Acts as the reporter. */
  readonly client: Pick<Writer, 'create' | 'patch'>;
  /** Who reports, such as `deployment-controller`. */
  readonly component: string;
  /** The node on which it runs, of a kubelet. */
  readonly host?: string;
  readonly clock: Pick<ClusterClock, 'now'>;
}

/** Events of objects of the cluster scope are in this namespace. */
const CLUSTER_SCOPE_NAMESPACE = 'default';

/** Creates the recorder of a component. */
export function eventRecorder({ writer, client, component, host, clock }: RecorderOptions): EventRecorder {
  const correlator = new EventCorrelator();
  const written = new WeakMap<CountedEvent, WrittenEvent>();
  const target = { client, resource: EVENTS };
  return {
    record(resource, object, type, reason, message) {
      const involvedObject = referenceTo(resource, object);
      const { kind, namespace = CLUSTER_SCOPE_NAMESPACE, name = '', uid, apiVersion } = involvedObject;
      const involved = JSON.stringify([kind, involvedObject.namespace, name, uid, apiVersion]);
      const now = clock.now();
      const counted = correlator.observe({ involved, type, reason, message }, now);
      if (counted === undefined) return;
      let event = written.get(counted);
      if (event === undefined) {
        const metadata = { namespace, name: writer.nameFor(name, now) };
        const fields = { metadata, involvedObject, type, reason };
        event = {
          ...metadata,
          isStored: false,
          object: () => ({
            ...fields,
            source: { component, ...(host !== undefined && { host }) },
            reportingComponent: component,
            firstTimestamp: formatTime(counted.first),
            ...changing(counted),
          }),
          change: () => changing(counted),
        };
        written.set(counted, event);
      }
      writer.write(target, event);
    },
  };
}

const changing = ({ message, count, last }: CountedEvent) => ({
  message,
  count,
  lastTimestamp: formatTime(last),
});

/** A reference to the present version of an object. */
export function referenceTo(
  { group, version, kind }: Resource,
  { metadata }: KubernetesObject,
): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    apiVersion: apiVersionOf(group, version),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
