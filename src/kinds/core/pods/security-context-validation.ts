import type { PodSpec, SecurityContext } from '../../../model/generated/core-v1.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupported,
  required,
  tooLong,
} from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { validateOneOf, validateRange } from '../../validation/fields.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../../validation/format-struct.ts';
import { formatGo } from '../../validation/go-value.ts';
import { validateDescendingPath } from './paths-validation.ts';
import type { PodSpecValidationOptions, PodValidationOptions } from './pod-validation-options.ts';
import { validateWindowsOptions } from './windows-options-validation.ts';

const MAXIMUM_ID = 2 ** 31 - 1;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAXIMUM_APPARMOR_BYTES = 4095;
const MAXIMUM_SYSCTL_LENGTH = 253;
/** The pattern in kube-apiserver's error message. */
const SYSCTL_TEXT = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL_SEGMENT = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const GROUP_POLICIES = ['Merge', 'Strict'];
const CHANGE_POLICIES = ['Always', 'OnRootMismatch'];
const PROC_MOUNTS = ['Default', 'Unmasked'];

const validateId = (id: number | undefined, field: string): FieldError[] =>
  id === undefined ? [] : validateRange(id, 0, MAXIMUM_ID, field);

/** Validates the security context of a container. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  field: string,
  { allowPrivileged = false }: PodValidationOptions,
  { hostUsers }: PodSpec,
): FieldError[] {
  if (context === undefined) return [];
  const { privileged, allowPrivilegeEscalation, capabilities } = context;
  const errors: FieldError[] =
    privileged === true && !allowPrivileged
      ? [forbidden(`${field}.privileged`, 'disallowed by cluster policy')]
      : [];
  errors.push(
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
  );
  errors.push(...validateProcMount(context.procMount, `${field}.procMount`, hostUsers));
  errors.push(...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const formatted = formatGo('core.SecurityContext', context);
    if (privileged === true)
      errors.push(
        invalidFormatted(
          field,
          formatted,
          'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
        ),
      );
    for (const added of capabilities?.add ?? [])
      if (added === 'CAP_SYS_ADMIN')
        errors.push(
          invalidFormatted(
            field,
            formatted,
            'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
          ),
        );
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
  ];
}

/** Validates the security context of a pod. */
export function validatePodSecurityContext(
  spec: PodSpec,
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  const { securityContext: context } = spec;
  if (context === undefined) return [];
  return [
    ...validateId(context.fsGroup, `${field}.fsGroup`),
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateId(group, `${field}.supplementalGroups[${index}]`),
    ),
    ...(spec.shareProcessNamespace && spec.hostPID
      ? [
          invalid(
            `${field}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...validateSysctls(context.sysctls ?? [], spec, `${field}.sysctls`),
    ...validateOptionalOneOf(context.fsGroupChangePolicy, CHANGE_POLICIES, `${field}.fsGroupChangePolicy`),
    ...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
    ...validateOptionalOneOf(
      context.supplementalGroupsPolicy,
      GROUP_POLICIES,
      `${field}.supplementalGroupsPolicy`,
    ),
    ...validateOptionalOneOf(
      context.seLinuxChangePolicy,
      relabelPolicies(options),
      `${field}.seLinuxChangePolicy`,
    ),
  ];
}

const validateOptionalOneOf = (
  value: string | undefined,
  supported: readonly string[],
  field: string,
): FieldError[] => (value === undefined ? [] : validateOneOf(value, supported, field));

/** SELinux labels are only changed by mounting with the feature gate, or in a pod that has a policy. */
const relabelPolicies = ({ isOn, old }: PodSpecValidationOptions): readonly string[] =>
  isOn('SELinuxMount') || old?.securityContext?.seLinuxChangePolicy !== undefined
    ? ['MountOption', 'Recursive']
    : ['Recursive'];

/** Validates `procMount`: `Unmasked` requires a user namespace. */
function validateProcMount(
  procMount: string | undefined,
  field: string,
  hostUsers: boolean | undefined,
): FieldError[] {
  if (procMount === 'Unmasked' && hostUsers !== false)
    return [invalid(field, procMount, '`hostUsers` must be false to use `Unmasked`')];
  return validateOptionalOneOf(procMount, PROC_MOUNTS, field);
}

function validateSeccompProfile(profile: SecurityContext['seccompProfile'], field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const errors: FieldError[] =
    type === ''
      ? [required(`${field}.type`, 'type is required when seccompProfile is set')]
      : validateOneOf(type, PROFILE_TYPES, `${field}.type`);
  const path = `${field}.localhostProfile`;
  if (type === 'Localhost') {
    return localhostProfile === undefined
      ? [required(path, 'must be set when seccomp type is Localhost')]
      : validateDescendingPath(localhostProfile, path);
  }
  if (localhostProfile === undefined) return errors;
  const formatted = formatGoStruct('core.SeccompProfile', {
    Type: formatGoText(type),
    LocalhostProfile: formatGoPointer('string', localhostProfile),
  });
  return [...errors, invalidFormatted(path, formatted, 'can only be set when seccomp type is Localhost')];
}

function validateAppArmorProfile(profile: SecurityContext['appArmorProfile'], field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const path = `${field}.localhostProfile`;
  if (type === '') return [required(`${field}.type`, 'type is required when appArmorProfile is set')];
  if (!PROFILE_TYPES.includes(type)) return [notSupported(`${field}.type`, type, PROFILE_TYPES)];
  if (type !== 'Localhost')
    return localhostProfile === undefined
      ? []
      : [invalid(path, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  if (localhostProfile === undefined) return [required(path, 'must be set when AppArmor type is Localhost')];
  const errors: FieldError[] = [];
  if (localhostProfile !== localhostProfile.trim())
    errors.push(invalid(path, localhostProfile, 'must not be padded with whitespace'));
  else if (localhostProfile === '')
    errors.push(required(path, 'must be set when AppArmor type is Localhost'));
  if (Buffer.byteLength(localhostProfile) > MAXIMUM_APPARMOR_BYTES)
    errors.push(tooLong(path, MAXIMUM_APPARMOR_BYTES));
  return errors;
}

/** Longer names are equal to no name below, and the prefixes are shorter. */
const LONGEST_CHECKED = 32;
const IPC_PREFIXES = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'];

function validateSysctls(sysctls: readonly { name?: string }[], spec: PodSpec, field: string): FieldError[] {
  const repeated = findDuplicates(sysctls, ({ name = '' }) => name);
  return checkEach(sysctls, { place: field, cost: 2 }, ({ name = '' }, index) => {
    const path = `${field}[${index}].name`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(path));
    else if (!isSysctlName(name))
      errors.push(
        invalid(
          path,
          name,
          `must have at most ${MAXIMUM_SYSCTL_LENGTH} characters and match regex ${SYSCTL_TEXT}`,
        ),
      );
    else if (repeated.has(index)) errors.push(duplicate(path, name));
    const dotted = withDots(name.slice(0, LONGEST_CHECKED));
    if (spec.hostNetwork && dotted.startsWith('net.'))
      errors.push(invalid(path, name, "may not be specified when 'hostNetwork' is true"));
    else if (
      spec.hostIPC &&
      (dotted === 'kernel.sem' || IPC_PREFIXES.some((prefix) => dotted.startsWith(prefix)))
    )
      errors.push(invalid(path, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

const isSysctlName = (name: string): boolean =>
  Buffer.byteLength(name) <= MAXIMUM_SYSCTL_LENGTH &&
  name.split(/[./]/).every((segment) => SYSCTL_SEGMENT.test(segment));

/** Normalizes a sysctl name: when the first separator is a slash, slashes and dots are swapped. */
function withDots(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  return separator === '/' ? name.replace(/[./]/g, (one) => (one === '/' ? '.' : '/')) : name;
}
