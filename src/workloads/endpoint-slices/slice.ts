import type { AddressFamily } from '../../addresses/address.ts';
import type { Service } from '../../model/generated/core-v1.ts';
import type { EndpointPort, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import { SERVICE_NAME_LABEL } from '../../model/service-labels.ts';
import type { IndexedSource, ObjectIndex } from '../../reader/object-source.ts';
import { isSame } from '../../reconcile/equality.ts';
import { controllerReference, generateNameOf } from '../../reconcile/pods/pod-control.ts';
import { SERVICES } from '../../reconcile/resources.ts';
import { HEADLESS_LABEL, isHeadless } from '../service-pods/endpoint-pod.ts';

export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';

/** Who manages the slices of Services that select Pods. */
export const MANAGER = 'endpointslice-controller.k8s.io';

/** Labels of slices that are not copied from their Service. */
const OWN_LABELS = [SERVICE_NAME_LABEL, MANAGED_BY_LABEL, HEADLESS_LABEL];

type Labels = Readonly<Record<string, string>>;

/** The slices of a manager, by the key of what they are for: the Service, and the Endpoints of its name. */
export const managedBy =
  (manager: string): ObjectIndex =>
  (object) => {
    const { namespace = '', labels = {} } = object.metadata();
    return labels[MANAGED_BY_LABEL] === manager ? [`${namespace}/${labels[SERVICE_NAME_LABEL] ?? ''}`] : [];
  };

/** The slices of {@link MANAGER}, by the key of their Service. */
export const BY_SERVICE = managedBy(MANAGER);

/** The slices under a key of an index. The API shows empty lists of slices as null. */
export const slicesOf = (slices: IndexedSource, index: ObjectIndex, key: string): EndpointSlice[] =>
  Array.from(slices.find(index, key), ([, { object }]) => {
    const slice = object as EndpointSlice;
    return { ...slice, endpoints: slice.endpoints ?? [], ports: slice.ports ?? [] };
  });

/** Whether a slice is of this Service, not of a former one of its name. */
export const isOwnedBy = ({ metadata }: EndpointSlice, service: Service): boolean =>
  (metadata?.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata?.uid && kind === 'Service' && apiVersion === 'v1',
  );

/** The labels of the slices of a Service. */
export const labelsFor = (service: Service): Record<string, string> => ({
  ...copied(service.metadata?.labels),
  ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }),
  [SERVICE_NAME_LABEL]: service.metadata?.name ?? '',
  [MANAGED_BY_LABEL]: MANAGER,
});

/** Whether a slice lacks labels of its Service, or has others. */
export const hasOtherLabels = ({ metadata }: EndpointSlice, service: Service): boolean =>
  !isSame(copied(metadata?.labels), copied(service.metadata?.labels));

const copied = (labels: Labels = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !OWN_LABELS.includes(name)));

/** A slice of a Service without endpoints, to be created. */
export function emptySlice(
  service: Service,
  addressType: AddressFamily,
  ports: readonly EndpointPort[],
): EndpointSlice {
  const { namespace = '', name = '' } = service.metadata ?? {};
  return {
    metadata: {
      generateName: generateNameOf(name),
      namespace,
      labels: labelsFor(service),
      ownerReferences: [controllerReference({ resource: SERVICES, object: service })],
    },
    addressType,
    endpoints: [],
    ports: [...ports],
  };
}
