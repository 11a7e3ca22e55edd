import type { Endpoints, Service } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { isSame } from '../../reconcile/equality.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';
import { HEADLESS_LABEL, isHeadless } from '../service-pods/endpoint-pod.ts';
import { withTriggerTime } from '../service-pods/trigger-times.ts';
import { OVER_CAPACITY, withinCapacity } from './capacity.ts';
import { subsetsOf } from './subsets.ts';

const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';

/** Whether Endpoints are the lock of an election: these have no Service. */
export const electsLeader = ({ annotations = {} }: ObjectMeta): boolean =>
  Object.hasOwn(annotations, LEADER_ANNOTATION);

/**
 * The Endpoints of a Service, with its labels; undefined if they are as they should be.
 * @param current undefined if there are none
 * @param triggerTime when what changes them happened
 */
export function changedEndpoints(
  service: Service,
  pods: readonly PodSummary[],
  current: Endpoints | undefined,
  triggerTime: string | undefined,
): Endpoints | undefined {
  const { subsets, isTruncated } = withinCapacity(subsetsOf(service, pods));
  const { namespace, name, labels } = service.metadata ?? {};
  const { metadata = {} } = current ?? {};
  const { [OVER_CAPACITY]: mark, ...annotations } = metadata.annotations ?? {};
  if (
    current !== undefined &&
    isSame(current.subsets, subsets) &&
    isSame(withoutHeadless(metadata.labels), withoutHeadless(labels)) &&
    (mark !== undefined) === isTruncated
  )
    return undefined;
  return {
    metadata: {
      ...metadata,
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      labels: { ...withoutHeadless(labels), ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }) },
      annotations: withTriggerTime(
        { ...annotations, ...(isTruncated && { [OVER_CAPACITY]: 'truncated' }) },
        triggerTime,
      ),
    },
    subsets: [...subsets],
  };
}

function withoutHeadless(labels: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const { [HEADLESS_LABEL]: _mark, ...others } = labels ?? {};
  return others;
}
