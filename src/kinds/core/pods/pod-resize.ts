import type { Container, Pod, PodSpec } from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, invalidFormatted } from '../../../status/field-error.ts';
import { appendAll, IMMUTABLE } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';
import { compareQuantityTexts } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { validateResizedContainers, withOldList } from './container-resize.ts';
import { isMirrorPod } from './pod-annotations-validation.ts';
import { podSpecDiff } from './pod-spec-diff.ts';
import { validatePodMetadataAndSpec } from './pod-validation.ts';
import type { PodValidationOptions } from './pod-validation-options.ts';
import { qualityOfService } from './quality-of-service.ts';

type Resources = NonNullable<Container['resources']>;

/** The lists of amounts in the resources of a container, in validation order. */
const LISTS = ['requests', 'limits'] as const;
const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

/** The releases that name the status of a resize that was requested. */
export const PROPOSES_RESIZES: Life = { until: '1.33' };
/** The releases that refuse a resize whose containers are not those of the pod, and resize sidecars. */
export const RESIZES_SAME_CONTAINERS: Life = { since: '1.33' };

/**
 * Returns the old specification with the resources and resize policies of the new one. Undefined for other containers
 * in the releases that refuse them; in others, containers are found by name and neither added nor removed.
 */
export function resizedSpec(spec: PodSpec, old: PodSpec, { has }: RuleContext): PodSpec | undefined {
  if (has(RESIZES_SAME_CONTAINERS)) return resizedInPlace(spec, old);
  const sent = new Map((spec.containers ?? []).map((container) => [container.name ?? '', container]));
  return {
    ...old,
    containers: old.containers?.map((container) => withResources(container, sent.get(container.name ?? ''))),
  };
}

function resizedInPlace(spec: PodSpec, old: PodSpec): PodSpec | undefined {
  const resized = { ...old };
  for (const list of CONTAINER_LISTS) {
    const [containers = [], before = []] = [spec[list], old[list]];
    if (containers.length !== before.length) return undefined;
    if (containers.length === 0) continue;
    const isSame = containers.every(({ name }, index) => name === before[index]?.name);
    resized[list] = isSame
      ? before.map((container, index) => withResources(container, containers[index]))
      : containers;
  }
  return resized;
}

function withResources(container: Container, sent: Container | undefined): Container {
  if (sent === undefined) return container;
  const { resources, resizePolicy } = sent;
  return { ...container, resources, resizePolicy };
}

/**
 * Whether a container with requests has other resources than before. As in kube-apiserver, an empty list of
 * amounts differs from an absent one.
 */
export const isResized = ({ containers = [] }: PodSpec, { containers: before = [] }: PodSpec): boolean =>
  containers.some(
    ({ resources }, index) =>
      isPresent(resources?.requests) && !sameResources(resources ?? {}, before[index]?.resources ?? {}),
  );

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const sameResources = (resources: Resources, before: Resources): boolean =>
  LISTS.every((list) => sameAmounts(resources[list], before[list])) &&
  isPresent(resources.claims) === isPresent(before.claims) &&
  semanticEqual(resources.claims, before.claims, internalTypes.type('core_v1.ResourceClaim'));

/** Amounts by the name of a resource. */
type Amounts = Readonly<Record<string, string>>;

function sameAmounts(amounts: Amounts | undefined, before: Amounts | undefined): boolean {
  if (!isPresent(amounts) || !isPresent(before)) return isPresent(amounts) === isPresent(before);
  const names = Object.keys(amounts!);
  return (
    names.length === Object.keys(before!).length &&
    names.every(
      (name) => Object.hasOwn(before!, name) && compareQuantityTexts(amounts![name], before![name]) === 0,
    )
  );
}

/** Validates a resize. The pods differ in the identity and in what {@link resizedSpec} takes from the new one. */
export function validateResize(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const refusal = refusalOf(old, pod, options);
  if (refusal !== undefined) return [forbidden('[]', refusal)];
  const inPlace = options.has(RESIZES_SAME_CONTAINERS);
  const errors = [
    ...(inPlace ? [] : validateSameMetadata(pod, old)),
    ...validatePodMetadataAndSpec(pod, options, old),
  ];
  const { spec = {} } = pod;
  const { spec: oldSpec = {}, status } = old;
  if ((status?.qosClass || qualityOfService(oldSpec, options)) !== qualityOfService(spec, options))
    errors.push(
      invalid('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'),
    );
  if (!isSupportedByNode(old))
    errors.push(forbidden('spec', 'Pod running on node without support for resize'));
  if (inPlace) return [...errors, ...validateResizedContainers(spec, oldSpec, errors.length, options)];
  appendAll(errors, validateKeptAmounts(spec, oldSpec));
  const allowed: PodSpec = { ...spec, containers: withOldAmounts(spec.containers, oldSpec.containers) };
  if (!semanticEqual(allowed, oldSpec, internalTypes.type('core_v1.PodSpec')))
    errors.push(
      forbidden('spec', `only cpu and memory resources are mutable\n${podSpecDiff(oldSpec, allowed)}`),
    );
  return errors;
}

/** Why a pod cannot be resized at all; undefined when it can. */
function refusalOf({ metadata, spec }: Pod, pod: Pod, { has }: RuleContext): string | undefined {
  // Only a resize to other containers can bring resources of the pod with it.
  const pods = has(RESIZES_SAME_CONTAINERS) ? [spec, pod.spec] : [spec];
  if (pods.some(hasPodLevelResources)) return 'pods with pod-level resources cannot be resized';
  if (isMirrorPod(metadata?.annotations)) return 'static pods cannot be resized';
  return spec?.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function hasPodLevelResources(spec: PodSpec | undefined): boolean {
  const { requests = {}, limits = {} } = spec?.resources ?? {};
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

function validateSameMetadata({ metadata }: Pod, old: Pod): FieldError[] {
  return metadata?.uid === old.metadata?.uid
    ? []
    : [invalidFormatted('metadata', formatGo('v1.ObjectMeta', metadata), IMMUTABLE)];
}

/** A node reports the resources of the containers that it runs, if it can resize them. */
function isSupportedByNode({ status }: Pod): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

/** Rejects resizes that remove an amount. */
function validateKeptAmounts({ containers = [] }: PodSpec, old: PodSpec): FieldError[] {
  return (old.containers ?? []).flatMap(({ resources: before }, index) =>
    LISTS.flatMap((list) => {
      const amounts = containers[index]?.resources?.[list] ?? {};
      return Object.keys(before?.[list] ?? {}).every((name) => Object.hasOwn(amounts, name))
        ? []
        : [forbidden(`spec.containers[${index}].resources.${list}`, `resource ${list} cannot be removed`)];
    }),
  );
}

/** The containers with the old resize policies and the old amounts of CPU and memory. */
const withOldAmounts = (
  containers: readonly Container[] | undefined,
  old: readonly Container[] = [],
): Container[] | undefined =>
  containers?.map((container, index) => ({
    ...container,
    resources: {
      limits: withOldList(container.resources?.limits, old[index]?.resources?.limits),
      requests: withOldList(container.resources?.requests, old[index]?.resources?.requests),
    },
    resizePolicy: old[index]?.resizePolicy,
  }));
