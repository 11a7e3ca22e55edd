import { duplicate, type FieldError, forbidden, invalid, notSupported, required, tooLong } from '../../../status/field-error.ts';
import { invalidTexts, validateRange } from '../../validation/fields.ts';
import { dns1123Subdomain } from '../../validation/names.ts';
import { invalidShown, shownValue } from '../../validation/shown.ts';
import { validateDescendingPath } from './paths-validation.ts';
import type { PodSecurityContext, PodSpec, SecurityContext } from './pod-types.ts';
import type { PodRules } from './rules.ts';

const MAXIMUM_ID = 2 ** 31 - 1;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAXIMUM_APPARMOR_BYTES = 4095;
const MAXIMUM_CREDENTIAL_SPEC_BYTES = 64 * 1024;
const SYSCTL = /^([a-z0-9][a-z0-9_-]*[/.])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

const validateId = (id: number | undefined, field: string): FieldError[] => (id === undefined ? [] : validateRange(id, 0, MAXIMUM_ID, field));

export function validateSecurityContext(context: SecurityContext | undefined, field: string, { allowPrivileged = false }: PodRules): FieldError[] {
  if (context === undefined) return [];
  const { privileged, allowPrivilegeEscalation, capabilities } = context;
  const errors: FieldError[] = privileged === true && !allowPrivileged ? [forbidden(`${field}.privileged`, 'disallowed by cluster policy')] : [];
  errors.push(...validateId(context.runAsUser, `${field}.runAsUser`), ...validateId(context.runAsGroup, `${field}.runAsGroup`));
  errors.push(...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const shown = shownValue(context);
    if (privileged === true) errors.push(invalidShown(field, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    for (const added of capabilities?.add ?? [])
      if (added === 'CAP_SYS_ADMIN')
        errors.push(invalidShown(field, shown, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
  ];
}

export function validatePodSecurityContext(context: PodSecurityContext | undefined, spec: PodSpec, field: string): FieldError[] {
  if (context === undefined) return [];
  return [
    ...validateId(context.fsGroup, `${field}.fsGroup`),
    ...validateId(context.runAsUser, `${field}.runAsUser`),
    ...validateId(context.runAsGroup, `${field}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) => validateId(group, `${field}.supplementalGroups[${index}]`)),
    ...(spec.shareProcessNamespace && spec.hostPID
      ? [invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...validateSysctls(context.sysctls ?? [], spec, `${field}.sysctls`),
    ...(context.fsGroupChangePolicy === undefined || ['Always', 'OnRootMismatch'].includes(context.fsGroupChangePolicy)
      ? []
      : [notSupported(`${field}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'])]),
    ...validateSeccompProfile(context.seccompProfile, `${field}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
  ];
}

function validateSeccompProfile(profile: SecurityContext['seccompProfile'], field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  if (type === '') return [required(`${field}.type`, 'type is required when seccompProfile is set')];
  if (!PROFILE_TYPES.includes(type)) return [notSupported(field, type, PROFILE_TYPES)];
  if (type !== 'Localhost')
    return localhostProfile === undefined ? [] : [invalid(`${field}.localhostProfile`, localhostProfile, 'can only be set when seccomp type is Localhost')];
  return localhostProfile === undefined
    ? [required(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost')]
    : validateDescendingPath(localhostProfile, `${field}.localhostProfile`);
}

function validateAppArmorProfile(profile: SecurityContext['appArmorProfile'], field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const path = `${field}.localhostProfile`;
  if (type === '') return [required(`${field}.type`, 'type is required when appArmorProfile is set')];
  if (!PROFILE_TYPES.includes(type)) return [notSupported(`${field}.type`, type, PROFILE_TYPES)];
  if (type !== 'Localhost') return localhostProfile === undefined ? [] : [invalid(path, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  if (localhostProfile === undefined || localhostProfile.trim() === '') return [required(path, 'must be set when AppArmor type is Localhost')];
  if (localhostProfile !== localhostProfile.trim()) return [invalid(path, localhostProfile, 'must not be padded with whitespace')];
  return Buffer.byteLength(localhostProfile) > MAXIMUM_APPARMOR_BYTES ? [tooLong(path, MAXIMUM_APPARMOR_BYTES)] : [];
}

function validateSysctls(sysctls: readonly { name?: string }[], spec: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap(({ name = '' }, index) => {
    const path = `${field}[${index}].name`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(path));
    else if (name.length > 253 || !SYSCTL.test(name)) errors.push(invalid(path, name, `must have at most 253 characters and match regex ${SYSCTL.source}`));
    else if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
    const dotted = name.replaceAll('/', '.');
    if (spec.hostNetwork && dotted.startsWith('net.')) errors.push(invalid(path, name, "may not be specified when 'hostNetwork' is true"));
    if (spec.hostIPC && /^(fs\.mqueue\.|kernel\.(shm|msg|sem))/.test(dotted)) errors.push(invalid(path, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

function validateWindowsOptions(options: SecurityContext['windowsOptions'], field: string): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  const errors = name === undefined ? [] : invalidTexts(`${field}.gmsaCredentialSpecName`, name, dns1123Subdomain(name));
  if (spec === '') errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && Buffer.byteLength(spec) > MAXIMUM_CREDENTIAL_SPEC_BYTES)
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec.slice(0, 32), 'gmsaCredentialSpec size must be under 64 KiB'));
  if (user === '') errors.push(invalid(`${field}.runAsUserName`, user, 'runAsUserName cannot be an empty string'));
  else if (user !== undefined && user.split('\\').length > 2)
    errors.push(invalid(`${field}.runAsUserName`, user, 'runAsUserName cannot contain more than one backslash'));
  return errors;
}
