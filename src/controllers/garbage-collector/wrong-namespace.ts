import { apiVersionOf, type OwnerReference } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import type { ControllerContext } from '../../reconcile/controller.ts';
import { EVENTS } from '../../reconcile/resources.ts';
import { warningEvent } from '../../reconcile/warning-event.ts';
import { ApiError } from '../../status/index.ts';
import type { ObservedObject } from './objects.ts';

/** Namespace of events about cluster-scoped objects. */
const DEFAULT_NAMESPACE = 'default';

type Report = (dependent: ObservedObject, reference: OwnerReference) => Promise<void>;

/**
 * Records an event for an object whose owner is in another namespace. A failure is only logged.
 */
export function wrongNamespaceEvent(
  { clusterClock, logger }: ControllerContext,
  client: Client,
  component: string,
): Report {
  return async ({ kind, namespace, name, uid }, reference) => {
    const { group, version } = kind.resource;
    const now = clusterClock.now();
    const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
    const involvedObject = {
      kind: kind.resource.kind,
      namespace,
      name,
      uid,
      apiVersion: apiVersionOf(group, version),
    };
    const event = warningEvent({
      metadata: {
        namespace: namespace === '' ? DEFAULT_NAMESPACE : namespace,
        name: `${name}.${(BigInt(now) * 1_000_000n).toString(16)}`,
      },
      involvedObject,
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
      component,
      now,
    });
    try {
      await client.create(EVENTS, event);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      logger.detail(2, 'failed to create event', { controller: component, err: error.message });
    }
  };
}
