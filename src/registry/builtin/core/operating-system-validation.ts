import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';
import type { PodSpec } from './pod-types.ts';

const SYSTEMS = ['linux', 'windows'];
const LINUX_POD = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
] as const;
const LINUX_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;
const LINUX_SPEC = ['hostPID', 'hostIPC', 'shareProcessNamespace'] as const;

const isSet = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/** A pod that says what it runs on may not ask for what only the other has. */
export function validateOperatingSystem(spec: PodSpec, field: string): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = '' } = spec.os;
  if (name === '') return [required(`${field}.os.name`, 'cannot be empty')];
  if (!SYSTEMS.includes(name)) return [notSupported(`${field}.os`, name, SYSTEMS)];
  const refuse = (context: object | undefined, names: readonly string[], path: string): FieldError[] =>
    names.flatMap((member) =>
      isSet((context as Record<string, unknown> | undefined)?.[member])
        ? [forbidden(`${path}.${member}`, name === 'linux' ? 'windows options cannot be set for a linux pod' : 'cannot be set for a windows pod')]
        : [],
    );
  const [ofPod, ofContainer]: readonly (readonly string[])[] = name === 'linux' ? [['windowsOptions'], ['windowsOptions']] : [LINUX_POD, LINUX_CONTAINER];
  return [
    ...refuse(spec.securityContext, ofPod!, `${field}.securityContext`),
    ...(name === 'windows' ? LINUX_SPEC.flatMap((member) => (spec[member] ? [forbidden(`${field}.${member}`, 'cannot be set for a windows pod')] : [])) : []),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap(({ securityContext }, index) => refuse(securityContext, ofContainer!, `${field}.${list}[${index}].securityContext`)),
    ),
  ];
}
