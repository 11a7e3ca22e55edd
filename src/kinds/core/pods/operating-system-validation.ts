import type { PodSpec } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';

const EXPLAINS_EMPTY: Life = { until: '1.34' };
const SYSTEMS = ['linux', 'windows'];
const FOR_LINUX = 'windows options cannot be set for a linux pod';
const FOR_WINDOWS = 'cannot be set for a windows pod';

/**
 * Fields forbidden in a Windows pod, in validation order: members of the pod's security context, or of `spec`
 * where marked.
 */
const LINUX_POD_FIELDS: readonly (readonly [member: string, holder?: 'spec'])[] = [
  ['appArmorProfile'],
  ['seLinuxOptions'],
  ['hostUsers', 'spec'],
  ['hostPID', 'spec'],
  ['hostIPC', 'spec'],
  ['seccompProfile'],
  ['fsGroup'],
  ['fsGroupChangePolicy'],
  ['sysctls'],
  ['shareProcessNamespace', 'spec'],
  ['runAsUser'],
  ['runAsGroup'],
  ['supplementalGroups'],
  ['supplementalGroupsPolicy'],
  ['seLinuxChangePolicy'],
];
const LINUX_CONTAINER_FIELDS = [
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
];

/** Whether a field is set. For `hostPID` and `hostIPC` false counts as unset, for `sysctls` an empty list. */
function isSet(member: string, value: unknown): boolean {
  if (member === 'hostPID' || member === 'hostIPC') return value === true;
  return value !== undefined && !(member === 'sysctls' && Array.isArray(value) && value.length === 0);
}

/** Rejects fields that the pod's operating system does not support. */
export function validateOperatingSystem(spec: PodSpec, field: string, { has }: RuleContext): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = '' } = spec.os;
  if (name === '') return [required(`${field}.os.name`, has(EXPLAINS_EMPTY) ? 'cannot be empty' : '')];
  if (!SYSTEMS.includes(name)) return [notSupported(`${field}.os`, name, SYSTEMS)];
  const members = spec as Readonly<Record<string, unknown>>;
  const context = (spec.securityContext ?? {}) as Readonly<Record<string, unknown>>;
  const containerErrors = forbidInContainers(spec, field, name);
  if (name === 'linux') {
    return context['windowsOptions'] === undefined
      ? containerErrors
      : [forbidden(`${field}.securityContext.windowsOptions`, FOR_LINUX), ...containerErrors];
  }
  return [
    ...LINUX_POD_FIELDS.flatMap(([member, holder]) => {
      if (!isSet(member, (holder === 'spec' ? members : context)[member])) return [];
      return [
        forbidden(
          holder === 'spec' ? `${field}.${member}` : `${field}.securityContext.${member}`,
          FOR_WINDOWS,
        ),
      ];
    }),
    ...containerErrors,
  ];
}

function forbidInContainers(spec: PodSpec, field: string, system: string): FieldError[] {
  const [forbiddenMembers, text] =
    system === 'linux' ? [['windowsOptions'], FOR_LINUX] : [LINUX_CONTAINER_FIELDS, FOR_WINDOWS];
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ securityContext = {} }, index) =>
      forbiddenMembers.flatMap((member) =>
        isSet(member, (securityContext as Readonly<Record<string, unknown>>)[member])
          ? [forbidden(`${field}.${list}[${index}].securityContext.${member}`, text)]
          : [],
      ),
    ),
  );
}
