import type { KubernetesObject } from '../../../model/object.ts';
import { messageType } from '../../../model/scheme.ts';
import { dns1123Label } from '../../validation/names.ts';
import { isWholeText } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { APPARMOR_ANNOTATION_PREFIX } from './apparmor.ts';
import { containerWarnings, portWarnings } from './container-warnings.ts';
import { allContainers } from './drop-disabled-fields.ts';
import type { Container, EphemeralContainer, NodeSelectorTerm, Pod, PodAffinityTerm, PodSpec, PodTemplateSpec } from './pod-types.ts';
import { volumeWarnings } from './volume-warnings.ts';

const RENAMED_LABELS = new Map([
  ['beta.kubernetes.io/arch', ['v1.14', 'kubernetes.io/arch']],
  ['beta.kubernetes.io/os', ['v1.14', 'kubernetes.io/os']],
  ['failure-domain.beta.kubernetes.io/region', ['v1.17', 'topology.kubernetes.io/region']],
  ['failure-domain.beta.kubernetes.io/zone', ['v1.17', 'topology.kubernetes.io/zone']],
  ['beta.kubernetes.io/instance-type', ['v1.17', 'node.kubernetes.io/instance-type']],
]);
const NO_SELECTOR = 'a null labelSelector results in matching no pod';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const CRITICAL_POD = 'scheduler.alpha.kubernetes.io/critical-pod';

/** `deprecated since …; use … instead` for node labels that were renamed. */
export function nodeLabelDeprecation(label: string): string | undefined {
  const renamed = RENAMED_LABELS.get(label);
  return renamed === undefined ? undefined : `deprecated since ${renamed[0]}; use ${JSON.stringify(renamed[1])} instead`;
}

type Metadata = { annotations?: Record<string, string>; name?: string };

/** Warnings of a pod that is made or changed. */
export function podWarnings(pod: Pod, old: Pod | undefined): string[] {
  const name = pod.metadata?.name ?? '';
  const texts = old === undefined && name !== '' ? dns1123Label(name) : [];
  const nameWarnings =
    texts.length === 0
      ? []
      : [`metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${texts.join(' ')}]`];
  return [...nameWarnings, ...specWarnings(pod.spec ?? {}, pod.metadata as Metadata | undefined, old?.metadata as Metadata | undefined, '')];
}

/** Warnings of a template: on an update only if it changed. @param field path of the template */
export function templateWarnings(template: PodTemplateSpec | undefined, old: PodTemplateSpec | undefined, field: string): string[] {
  if (template === undefined || (old !== undefined && semanticEqual(template, old, messageType('core_v1.PodTemplateSpec')))) return [];
  return specWarnings(template.spec ?? {}, template.metadata as Metadata | undefined, old?.metadata as Metadata | undefined, `${field}.`);
}

/** Pods are named after their controller, hosts after pods. */
export function podNameWarnings({ metadata }: KubernetesObject): string[] {
  const texts = metadata?.name ? dns1123Label(metadata.name) : [];
  return texts.length === 0
    ? []
    : [`metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${texts.join(' ')}]`];
}

/** @param prefix empty for a pod, `spec.template.` or the like for a template */
function specWarnings(spec: PodSpec, metadata: Metadata | undefined, old: Metadata | undefined, prefix: string): string[] {
  const at = `${prefix}spec`;
  const grace = spec.terminationGracePeriodSeconds;
  return [
    ...placementWarnings(spec, at),
    ...annotationWarnings(metadata?.annotations, old?.annotations, spec, prefix),
    ...volumeWarnings(spec.volumes, `${at}.volumes`),
    ...repeated(
      spec.hostAliases,
      ({ ip = '' }) => ip,
      (index, ip) => `${at}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`,
    ),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = '' }, index) => (name === '' ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [])),
    ...repeated(
      spec.imagePullSecrets,
      ({ name = '' }) => name,
      (index, name) => `${at}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(name)}`,
    ),
    ...fractionWarnings(spec.overhead, `${at}.overhead`),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) => [
        ...fractionWarnings(container.resources?.limits, `${at}.${list}[${index}].resources.limits`),
        ...fractionWarnings(container.resources?.requests, `${at}.${list}[${index}].resources.requests`),
        ...containerWarnings(container, `${at}.${list}[${index}]`),
      ]),
    ),
    ...portWarnings(spec, at),
    ...(grace !== undefined && grace < 0 ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...podAffinityWarnings(spec, `${at}.affinity`),
  ];
}

function placementWarnings(spec: PodSpec, at: string): string[] {
  const { nodeAffinity } = spec.affinity ?? {};
  const field = `${at}.affinity.nodeAffinity`;
  const ofTerm = ({ matchExpressions = [] }: NodeSelectorTerm, path: string): string[] =>
    matchExpressions.flatMap(({ key = '' }, index) => {
      const text = nodeLabelDeprecation(key);
      return text === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${text}`];
    });
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const text = nodeLabelDeprecation(key);
      return text === undefined ? [] : [`${at}.nodeSelector[${key}]: ${text}`];
    }),
    ...(nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      ofTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...(nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference = {} }, index) =>
      ofTerm(preference, `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey = '', labelSelector }, index) => {
      const path = `${at}.topologySpreadConstraints[${index}]`;
      const text = nodeLabelDeprecation(topologyKey);
      return [
        ...(text === undefined ? [] : [`${path}.topologyKey: ${topologyKey} is ${text}`]),
        ...(labelSelector === undefined ? [`${path}.labelSelector: ${NO_SELECTOR}`] : []),
      ];
    }),
  ];
}

function podAffinityWarnings(spec: PodSpec, field: string): string[] {
  const ofTerm = ({ labelSelector }: PodAffinityTerm, path: string): string[] => (labelSelector === undefined ? [`${path}.labelSelector: ${NO_SELECTOR}`] : []);
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => [
    ...(spec.affinity?.[name]?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      ofTerm(term, `${field}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...(spec.affinity?.[name]?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ podAffinityTerm = {} }, index) =>
      ofTerm(podAffinityTerm, `${field}.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`),
    ),
  ]);
}

/** Annotations that once did something; what the old object had already is known. */
function annotationWarnings(annotations: Record<string, string> = {}, old: Record<string, string> = {}, spec: PodSpec, prefix: string): string[] {
  const field = `${prefix}metadata.annotations`;
  let containers: ReadonlyMap<string | undefined, Container | EphemeralContainer> | undefined;
  return Object.keys(annotations)
    .sort()
    .flatMap((key) => {
      if (Object.hasOwn(old, key)) return [];
      if (key === CRITICAL_POD) return [`${field}[${key}]: non-functional in v1.16+; use the "priorityClassName" field instead`];
      if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER))
        return [`${field}[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`];
      // A pod's own annotations are turned into fields when it is made.
      if (prefix === '' || !key.startsWith(APPARMOR_ANNOTATION_PREFIX) || spec.securityContext?.appArmorProfile !== undefined) return [];
      // The first container of a name counts.
      containers ??= new Map(
        allContainers(spec)
          .reverse()
          .map((one) => [one.name, one]),
      );
      const container = containers.get(key.slice(APPARMOR_ANNOTATION_PREFIX.length));
      return container === undefined || container.securityContext?.appArmorProfile !== undefined
        ? []
        : [`${field}[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`];
    });
}

function repeated<T>(list: readonly T[] = [], keyOf: (element: T) => string, textOf: (index: number, key: string) => string): string[] {
  const seen = new Set<string>();
  return list.flatMap((element, index) => {
    const key = keyOf(element);
    if (key !== '' && seen.has(key)) return [textOf(index, key)];
    seen.add(key);
    return [];
  });
}

/** Bytes can't be divided. */
function fractionWarnings(amounts: Readonly<Record<string, string | undefined>> = {}, field: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const amount = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    return amount === undefined || isWholeText(amount)
      ? []
      : [`${field}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}
