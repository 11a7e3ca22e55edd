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
import type { Life } from '../../../model/life.ts';
import { dns1123Label, labelValue } from '../../../model/name-syntax.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { checkEach } from '../../../steps/replay.ts';
import { addressWarnings } from '../../validation/address-warnings.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { isWholeText } from '../../validation/quantities.ts';
import { volumeWarnings } from '../volumes/volume-warnings.ts';
import { APPARMOR_ANNOTATION_PREFIX, isSameProfile, parseProfile } from './apparmor.ts';
import { containerWarnings, portNameWarnings, portWarnings } from './container-warnings.ts';

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
export function podWarnings(pod: Pod, context: RuleContext): string[] {
  const name = pod.metadata?.name ?? '';
  const texts = name === '' ? [] : dns1123Label(name);
  const nameWarnings =
    texts.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${texts.join(' ')}]`,
        ];
  return [
    ...nameWarnings,
    ...specWarnings(pod.spec ?? {}, pod.metadata as Metadata | undefined, '', context),
  ];
}

/** Returns the warnings about a template. @param field path of the template */
export const templateWarnings = (
  template: PodTemplateSpec | undefined,
  field: string,
  context: RuleContext,
): string[] =>
  template === undefined
    ? []
    : specWarnings(template.spec ?? {}, template.metadata as Metadata | undefined, `${field}.`, context);

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
function specWarnings(
  spec: PodSpec,
  metadata: Metadata | undefined,
  prefix: string,
  context: RuleContext,
): string[] {
  const at = `${prefix}spec`;
  const grace = spec.terminationGracePeriodSeconds;
  return [
    ...placementWarnings(spec, at, context),
    ...removedAnnotationWarnings(metadata?.annotations, prefix),
    ...volumeWarnings(spec.volumes, `${at}.volumes`, context),
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
        ...containerProfileWarnings(container, spec, metadata?.annotations, prefix, context),
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
    ...(context.has(WARNS_OF_PORT_NAMES) ? portNameWarnings(spec, at) : []),
    ...(grace !== undefined && grace < 0
      ? [
          `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(spec, `${at}.affinity`),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarnings(address, `${at}.dnsConfig.nameservers[${index}]`, context),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip = '' }, index) =>
      addressWarnings(ip, `${at}.hostAliases[${index}].ip`, context),
    ),
  ];
}

/** Returns the warnings about the addresses in the status of a pod. */
export const podAddressWarnings = ({ status = {} }: Pod, context: RuleContext): string[] =>
  (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status[list] ?? []).flatMap(({ ip = '' }, index) =>
      addressWarnings(ip, `status.${list}[${index}].ip`, context),
    ),
  );

const WARNS_OF_PORT_NAMES: Life = { since: '1.33' };

/** Returns the warnings about the labels that a term compares. @param checksValues and about their values */
export const selectorTermWarnings = (
  { matchExpressions = [] }: NodeSelectorTerm,
  path: string,
  checksValues = false,
): string[] =>
  matchExpressions.flatMap(({ key = '', values = [] }, index) => {
    const text = nodeLabelDeprecation(key);
    const at = `${path}.matchExpressions[${index}]`;
    return [
      ...(text === undefined ? [] : [`${at}.key: ${key} is ${text}`]),
      ...(checksValues
        ? values.flatMap((value, valueIndex) =>
            labelValue(value).map(
              (problem) => `${at}.values[${valueIndex}]: ${value} is invalid, ${problem}`,
            ),
          )
        : []),
    ];
  });

/** The releases that warn about preferences which no label of a node can meet. */
const WARNS_OF_VALUES: Life = { since: '1.33' };

function placementWarnings(spec: PodSpec, at: string, { has }: RuleContext): string[] {
  const { nodeAffinity } = spec.affinity ?? {};
  const field = `${at}.affinity.nodeAffinity`;
  const warnsOfValues = has(WARNS_OF_VALUES);
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
        selectorTermWarnings(
          term,
          `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
        ),
    ),
    ...checkEach(
      nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      { place: 'warnings' },
      ({ preference = {} }, index) =>
        selectorTermWarnings(
          preference,
          `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
          warnsOfValues,
        ),
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

/** The releases that warn about an annotation whose profile is not that of the pod. */
const COMPARES_PROFILES: Life = { since: '1.34' };

/**
 * Warns about profiles that are only in annotations. For AppArmor this applies to templates only: creation
 * copies a pod's annotations into fields.
 */
function containerProfileWarnings(
  { name = '', securityContext }: Container | EphemeralContainer,
  spec: PodSpec,
  annotations: Annotations | undefined,
  prefix: string,
  { has: hasRule }: RuleContext,
): string[] {
  const seccomp = `${SECCOMP_CONTAINER}${name}`;
  const appArmor = `${APPARMOR_ANNOTATION_PREFIX}${name}`;
  const field = `${prefix}metadata.annotations`;
  const podProfile = spec.securityContext?.appArmorProfile;
  const profile = has(annotations, appArmor) ? parseProfile(annotations![appArmor]!) : undefined;
  const isStated = hasRule(COMPARES_PROFILES)
    ? profile !== undefined && isSameProfile(profile, podProfile)
    : podProfile !== undefined;
  const hasAppArmorField = isStated || securityContext?.appArmorProfile !== undefined;
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
