import type { StrategyContext } from '../kinds/strategy.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import { formatTime } from '../model/time.ts';
import { ownedByServer } from '../operations/ownership.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import { mustReplaceBinding, reconcileDefault } from './index.ts';

/** How a bootstrap object is written. */
export interface EncodeOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly uid: () => string;
  /** The owner of its fields. */
  readonly manager: string;
  /** Members of the spec without an owner, because the server allocates them. */
  readonly allocated?: object | undefined;
  readonly context: RuleContext;
}

/** Encodes an object as its creation through the API would store it. */
export function encodeNew(
  served: ServedResource,
  object: KubernetesObject,
  { now, uid, manager, allocated, context }: EncodeOptions,
): Uint8Array {
  const { status } = object;
  const complete = served.toWorking({
    ...object,
    metadata: { ...object.metadata, uid: uid(), creationTimestamp: formatTime(now) },
  });
  complete.metadata!.managedFields = ownedByServer(served, undefined, complete, { manager, now });
  if (allocated !== undefined) complete.spec = { ...(complete.spec as object), ...allocated };
  const { row, strategy, stored } = served;
  const view: StrategyContext = {
    user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: new Map() },
    group: row.group,
    version: row.version,
    resource: row.resource,
    subresource: '',
    namespace: object.metadata?.namespace ?? '',
    dryRun: false,
    now: () => formatTime(now),
    ...context,
  };
  strategy.prepareForCreate?.(complete, view);
  if (strategy.managesGeneration === true) complete.metadata!.generation = 1;
  if (status !== undefined) complete.status = status;
  return stored.codec.encode(complete);
}

export function encodeEnforced(
  served: ServedResource,
  desired: KubernetesObject,
  stored: KubernetesObject,
  options: EncodeOptions,
): Uint8Array {
  const encoded = served.stored.codec.decode(encodeNew(served, desired, options), 0);
  encoded.metadata = {
    ...stored.metadata,
    labels: { ...stored.metadata?.labels, ...desired.metadata?.labels },
  };
  return encodeUpdated(served, encoded, stored, options);
}

export function encodeReconciled(
  served: ServedResource,
  desired: KubernetesObject,
  stored: KubernetesObject,
  options: EncodeOptions,
): Uint8Array | undefined {
  if (desired.roleRef !== undefined && mustReplaceBinding(desired, stored))
    return encodeNew(served, desired, options);
  const reconciled = reconcileDefault(desired, stored);
  return reconciled === undefined ? undefined : encodeUpdated(served, reconciled, stored, options);
}

/** Encodes the new state of an object; changed fields are owned by the server. */
function encodeUpdated(
  served: ServedResource,
  object: KubernetesObject,
  stored: KubernetesObject,
  options: EncodeOptions,
): Uint8Array {
  const managedFields = ownedByServer(served, stored, object, options);
  return served.stored.codec.encode({ ...object, metadata: { ...object.metadata, managedFields } });
}
