import type { AddressFamily } from '../../addresses/address.ts';
import type { Endpoints } from '../../model/generated/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { SERVICE_NAME_LABEL } from '../../model/service-labels.ts';
import { isSame } from '../../reconcile/equality.ts';
import { controllerReference, generateNameOf } from '../../reconcile/pods/pod-control.ts';
import { ENDPOINTS } from '../../reconcile/resources.ts';
import { endpointKey, isSameEndpoint } from '../endpoint-slices/endpoint.ts';
import { MANAGED_BY_LABEL, managedBy } from '../endpoint-slices/slice.ts';
import { electsLeader } from '../endpoints/endpoints.ts';
import { TRIGGER_TIME } from '../service-pods/trigger-times.ts';

/** Who manages the slices that mirror Endpoints. */
const MIRRORING_MANAGER = 'endpointslicemirroring-controller.k8s.io';
const SKIP_LABEL = 'endpointslice.kubernetes.io/skip-mirror';
/** Annotations of Endpoints that say nothing of their slices. */
const OWN_ANNOTATIONS = [TRIGGER_TIME, 'kubectl.kubernetes.io/last-applied-configuration'];

/** The slices that mirror Endpoints, by their key. */
export const BY_ENDPOINTS = managedBy(MIRRORING_MANAGER);

/** Whether Endpoints of this metadata are mirrored if their Service selects no Pods. */
export const isMirrored = (metadata: ObjectMeta): boolean =>
  metadata.labels?.[SKIP_LABEL] !== 'true' && !electsLeader(metadata);

/** A slice without endpoints, to be created. */
export function emptyMirror(
  endpoints: Endpoints,
  addressType: AddressFamily,
  ports: readonly EndpointPort[],
): EndpointSlice {
  const { namespace = '', name = '', labels, annotations = {} } = endpoints.metadata ?? {};
  return {
    metadata: {
      generateName: generateNameOf(name),
      namespace,
      labels: { ...labels, [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MIRRORING_MANAGER },
      annotations: Object.fromEntries(
        Object.entries(annotations).filter(([annotation]) => !OWN_ANNOTATIONS.includes(annotation)),
      ),
      ownerReferences: [controllerReference({ resource: ENDPOINTS, object: endpoints })],
    },
    addressType,
    endpoints: [],
    ports: [...ports],
  };
}

/** Whether a slice is as it should be. @param endpoints that it is to have, by {@link endpointKey} */
export function isMirror(
  slice: EndpointSlice,
  wanted: EndpointSlice,
  endpoints: ReadonlyMap<string, Endpoint>,
): boolean {
  const { endpoints: present = [], metadata = {} } = slice;
  return (
    present.length === endpoints.size &&
    present.every((endpoint) => {
      const other = endpoints.get(endpointKey(endpoint));
      return other !== undefined && isSameEndpoint(endpoint, other);
    }) &&
    isSame(metadata.labels ?? {}, wanted.metadata?.labels) &&
    isSame(metadata.annotations ?? {}, wanted.metadata?.annotations) &&
    !isOfFormer(metadata, wanted.metadata!)
  );
}

/** Whether a slice names former Endpoints of the same name as its owner. */
const isOfFormer = ({ ownerReferences = [] }: ObjectMeta, wanted: ObjectMeta): boolean =>
  ownerReferences.some(({ kind, name, uid }) =>
    wanted.ownerReferences!.some((owner) => owner.kind === kind && owner.name === name && owner.uid !== uid),
  );
