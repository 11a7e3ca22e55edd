import { quote } from '../../../errors/quote.ts';
import type {
  Container,
  EphemeralContainer,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PodSpec,
  PodTemplateSpec,
} from '../../../model/generated/core-v1.ts';
import { dns1123Label } from '../../../model/name-syntax.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { isWholeText } from '../../validation/quantities.ts';
import { volumeWarnings } from '../volumes/volume-warnings.ts';
import { APPARMOR_ANNOTATION_PREFIX } from './apparmor.ts';
import { containerWarnings, portWarnings } from './container-warnings.ts';

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

/** Returns `deprecated since …; use … instead` for a renamed node label. */
export function nodeLabelDeprecation(label: string): string | undefined {
  const renamed = RENAMED_LABELS.get(label);
  return renamed === undefined
    ? undefined
    : `deprecated since ${renamed[0]}; use ${quote(renamed[1]!)} instead`;
}

type Metadata = { annotations?: Record<string, string>; name?: string };

/** Returns the warnings about a new pod. */
export function podWarnings(pod: Pod): string[] {
  const name = pod.metadata?.name ?? '';
  const texts = name === '' ? [] : dns1123Label(name);
  const nameWarnings =
    texts.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${texts.join(' ')}]`,
        ];
  return [...nameWarnings, ...specWarnings(pod.spec ?? {}, pod.metadata as Metadata | undefined, '')];
}

/** Returns the warnings about a template. @param field path of the template */
export const templateWarnings = (template: PodTemplateSpec | undefined, field: string): string[] =>
  template === undefined
    ? []
    : specWarnings(template.spec ?? {}, template.metadata as Metadata | undefined, `${field}.`);

/** Warns about a controller's name that is not a DNS label: pod names and hostnames are derived from it. */
export function podNameWarnings({ metadata }: KubernetesObject): string[] {
  const texts = metadata?.name ? dns1123Label(metadata.name) : [];
  return texts.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${texts.join(' ')}]`,
      ];
}

/** @param prefix path prefix: empty for a pod, e.g. `spec.template.` for a template */
function specWarnings(spec: PodSpec, metadata: Metadata | undefined, prefix: string): string[] {
  const at = `${prefix}spec`;
  const grace = spec.terminationGracePeriodSeconds;
  return [
    ...placementWarnings(spec, at),
    ...removedAnnotationWarnings(metadata?.annotations, prefix),
    ...volumeWarnings(spec.volumes, `${at}.volumes`),
    ...duplicateWarnings(
      spec.hostAliases,
      ({ ip = '' }) => ip,
      (index, ip) => `${at}.hostAliases[${index}].ip: duplicate ip ${quote(ip)}`,
    ),
    ...duplicateWarnings(
      spec.imagePullSecrets,
      ({ name = '' }) => name,
      (index, name) => `${at}.imagePullSecrets[${index}].name: duplicate name ${quote(name)}`,
    ),
    ...checkEach(spec.imagePullSecrets ?? [], { place: 'empty names' }, ({ name = '' }, index) =>
      name === '' ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractionWarnings(spec.overhead, 'memory', `${at}.overhead`),
    ...fractionWarnings(spec.overhead, 'ephemeral-storage', `${at}.overhead`),
    ...podProfileWarnings(spec, metadata?.annotations, prefix),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      checkEach(spec[list] ?? [], { place: 'warnings', cost: 3 }, (container, index) => [
        ...containerProfileWarnings(container, spec, metadata?.annotations, prefix),
        ...(['memory', 'ephemeral-storage'] as const).flatMap((name) => [
          ...fractionWarnings(container.resources?.limits, name, `${at}.${list}[${index}].resources.limits`),
          ...fractionWarnings(
            container.resources?.requests,
            name,
            `${at}.${list}[${index}].resources.requests`,
          ),
        ]),
        ...containerWarnings(container, `${at}.${list}[${index}]`),
      ]),
    ),
    ...portWarnings(spec, at),
    ...(grace !== undefined && grace < 0
      ? [
          `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(spec, `${at}.affinity`),
  ];
}

function placementWarnings(spec: PodSpec, at: string): string[] {
  const { nodeAffinity } = spec.affinity ?? {};
  const field = `${at}.affinity.nodeAffinity`;
  const ofTerm = ({ matchExpressions = [] }: NodeSelectorTerm, path: string): string[] =>
    checkEach(matchExpressions, { place: 'deprecated labels' }, ({ key = '' }, index) => {
      const text = nodeLabelDeprecation(key);
      return text === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${text}`];
    });
  return [
    ...[...RENAMED_LABELS.keys()]
      .sort()
      .flatMap((key) =>
        Object.hasOwn(spec.nodeSelector ?? {}, key)
          ? [`${at}.nodeSelector[${key}]: ${nodeLabelDeprecation(key)}`]
          : [],
      ),
    ...checkEach(
      nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [],
      { place: 'warnings' },
      (term, index) =>
        ofTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...checkEach(
      nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      { place: 'warnings' },
      ({ preference = {} }, index) =>
        ofTerm(preference, `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`),
    ),
    ...checkEach(
      spec.topologySpreadConstraints ?? [],
      { place: 'warnings' },
      ({ topologyKey = '', labelSelector }, index) => {
        const path = `${at}.topologySpreadConstraints[${index}]`;
        const text = nodeLabelDeprecation(topologyKey);
        return [
          ...(text === undefined ? [] : [`${path}.topologyKey: ${topologyKey} is ${text}`]),
          ...(labelSelector === undefined ? [`${path}.labelSelector: ${NO_SELECTOR}`] : []),
        ];
      },
    ),
  ];
}

function podAffinityWarnings(spec: PodSpec, field: string): string[] {
  const ofTerm = ({ labelSelector }: PodAffinityTerm, path: string): string[] =>
    labelSelector === undefined ? [`${path}.labelSelector: ${NO_SELECTOR}`] : [];
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => [
    ...checkEach(
      spec.affinity?.[name]?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
      { place: 'warnings' },
      (term, index) =>
        ofTerm(term, `${field}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...checkEach(
      spec.affinity?.[name]?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      { place: 'warnings' },
      ({ podAffinityTerm = {} }, index) =>
        ofTerm(
          podAffinityTerm,
          `${field}.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
        ),
    ),
  ]);
}

const NON_FUNCTIONAL_ANNOTATIONS: readonly (readonly [key: string, text: string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];
const NO_SECCOMP_ANNOTATION = 'non-functional in v1.27+; use the "seccompProfile" field instead';

type Annotations = Readonly<Record<string, string>>;

const has = (annotations: Annotations | undefined, key: string): boolean =>
  annotations !== undefined && Object.hasOwn(annotations, key);

/** Warns about annotations that have no effect any more. */
const removedAnnotationWarnings = (annotations: Annotations | undefined, prefix: string): string[] =>
  NON_FUNCTIONAL_ANNOTATIONS.flatMap(([key, text]) =>
    has(annotations, key) ? [`${prefix}metadata.annotations[${key}]: ${text}`] : [],
  );

const podProfileWarnings = (
  { securityContext }: PodSpec,
  annotations: Annotations | undefined,
  prefix: string,
): string[] =>
  securityContext?.seccompProfile === undefined && has(annotations, SECCOMP_POD)
    ? [`${prefix}metadata.annotations[${SECCOMP_POD}]: ${NO_SECCOMP_ANNOTATION}`]
    : [];

/**
 * Warns about profiles that are only in annotations. For AppArmor this applies to templates only: creation
 * copies a pod's annotations into fields.
 */
function containerProfileWarnings(
  { name = '', securityContext }: Container | EphemeralContainer,
  spec: PodSpec,
  annotations: Annotations | undefined,
  prefix: string,
): string[] {
  const seccomp = `${SECCOMP_CONTAINER}${name}`;
  const appArmor = `${APPARMOR_ANNOTATION_PREFIX}${name}`;
  const field = `${prefix}metadata.annotations`;
  const hasAppArmorField =
    spec.securityContext?.appArmorProfile !== undefined || securityContext?.appArmorProfile !== undefined;
  return [
    ...(securityContext?.seccompProfile === undefined && has(annotations, seccomp)
      ? [`${field}[${seccomp}]: ${NO_SECCOMP_ANNOTATION}`]
      : []),
    ...(prefix !== '' && !hasAppArmorField && has(annotations, appArmor)
      ? [`${field}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
      : []),
  ];
}

function duplicateWarnings<T>(
  list: readonly T[] = [],
  keyOf: (element: T) => string,
  textOf: (index: number, key: string) => string,
): string[] {
  const repeated = findDuplicates(list, keyOf);
  return checkEach(list, { place: 'duplicate names' }, (element, index) =>
    repeated.has(index) ? [textOf(index, keyOf(element))] : [],
  );
}

/** Warns about a fractional number of bytes. */
function fractionWarnings(
  amounts: Readonly<Record<string, string | undefined>> = {},
  name: string,
  field: string,
): string[] {
  const amount = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
  return amount === undefined || isWholeText(amount)
    ? []
    : [`${field}[${name}]: fractional byte value ${quote(amount)} is invalid, must be an integer`];
}
