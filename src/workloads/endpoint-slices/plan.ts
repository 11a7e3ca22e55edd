import type { AddressFamily } from '../../addresses/address.ts';
import { groupBy } from '../../collections/group-by.ts';
import type { Service } from '../../model/generated/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import { isSame } from '../../reconcile/equality.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';
import { familyOf, isEndpoint } from '../service-pods/endpoint-pod.ts';
import { mergeChanges, NO_CHANGES, type SliceChanges } from './changes.ts';
import { endpointKey, endpointOf, portsKey, portsOf } from './endpoint.ts';
import { packEndpoints } from './packing.ts';
import { emptySlice, hasOtherLabels, isOwnedBy, labelsFor } from './slice.ts';

/** The zone of a node, if it has one; undefined if there is no node of that name. */
export type ZoneOf = (node: string) => { readonly zone: string | undefined } | undefined;

export interface SlicesInput {
  readonly service: Service;
  /** The Pods that it selects. */
  readonly pods: readonly PodSummary[];
  /** The slices of its name, without those that are being deleted. */
  readonly slices: readonly EndpointSlice[];
  readonly zoneOf: ZoneOf;
  /** Most endpoints of a slice. */
  readonly maximum: number;
}

export interface FamilyPlan {
  readonly family: AddressFamily;
  readonly changes: SliceChanges;
  /** Pods that are no endpoints for lack of their node. */
  readonly skipped: readonly PodSummary[];
}

/** The families of the addresses at which the endpoints of a Service are reached. */
export function familiesOf({ spec = {} }: Service): readonly AddressFamily[] {
  const families = (spec.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6');
  if (families.length > 0) return families;
  const { clusterIP = '' } = spec;
  return clusterIP === '' || clusterIP === 'None' ? ['IPv4', 'IPv6'] : [familyOf(clusterIP)];
}

/** The slices of other families than those of a Service. */
export const ofOtherFamilies = ({ service, slices }: SlicesInput): readonly EndpointSlice[] => {
  const families: readonly string[] = familiesOf(service);
  return slices.filter(({ addressType = '' }) => !families.includes(addressType));
};

/** Endpoints that have the same ports. */
interface PortGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * What is to become of the slices of one family of a Service. It always has a slice: one without ports where there are
 * no endpoints.
 */
export function planFamily(input: SlicesInput, family: AddressFamily): FamilyPlan {
  const { service, maximum } = input;
  const existing = input.slices.filter(({ addressType }) => addressType === family);
  const own = existing.filter((slice) => isOwnedBy(slice, service));
  const { groups, skipped } = groupByPorts(input, family);
  const existingOf = groupBy(own, ({ ports }) => portsKey(ports));
  let changes: SliceChanges = {
    ...NO_CHANGES,
    remove: existing.filter((slice) => !own.includes(slice)),
  };
  for (const [key, { ports, endpoints }] of groups)
    changes = mergeChanges(
      changes,
      packEndpoints({
        existing: existingOf.get(key) ?? [],
        desired: endpoints,
        maximum,
        labels: labelsFor(service),
        hasOtherLabels: (slice) => hasOtherLabels(slice, service),
        empty: () => emptySlice(service, family, ports),
      }),
    );
  const unwanted = [...existingOf].flatMap(([key, slices]) => (groups.has(key) ? [] : slices));
  changes = { ...changes, remove: [...changes.remove, ...unwanted] };
  return { family, changes: withPlaceholder(changes, service, family), skipped };
}

function groupByPorts(
  { service, pods, zoneOf }: SlicesInput,
  family: AddressFamily,
): { readonly groups: Map<string, PortGroup>; readonly skipped: readonly PodSummary[] } {
  const groups = new Map<string, PortGroup>();
  const skipped: PodSummary[] = [];
  for (const pod of pods) {
    if (!isEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (group === undefined) {
      group = { ports, endpoints: new Map() };
      groups.set(key, group);
    }
    const node = zoneOf(pod.node);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      skipped.push(pod);
      continue;
    }
    const endpoint = endpointOf(pod, service, family, node?.zone);
    if (endpoint !== undefined) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return { groups, skipped };
}

function withPlaceholder(changes: SliceChanges, service: Service, family: AddressFamily): SliceChanges {
  if (changes.create.length + changes.update.length + changes.keep.length > 0) return changes;
  const placeholder = emptySlice(service, family, []);
  const kept = changes.remove.find((slice) => isPlaceholder(slice, placeholder, service));
  return kept === undefined
    ? { ...changes, create: [placeholder] }
    : { ...changes, remove: changes.remove.filter((slice) => slice !== kept), keep: [kept] };
}

const isPlaceholder = (slice: EndpointSlice, placeholder: EndpointSlice, service: Service): boolean =>
  isOwnedBy(slice, service) &&
  isSame(slice.endpoints, []) &&
  isSame(slice.ports, []) &&
  isSame(slice.metadata?.labels ?? {}, placeholder.metadata?.labels);
