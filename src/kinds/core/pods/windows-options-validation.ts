import type { PodSpec, SecurityContext } from '../../../model/generated/core-v1.ts';
import { dns1123Subdomain } from '../../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import type { PodValidationOptions } from './pod-validation-options.ts';

type WindowsOptions = NonNullable<SecurityContext['windowsOptions']>;

const MAXIMUM_CREDENTIAL_SPEC_BYTES = 64 * 1024;
const MAXIMUM_DOMAIN_BYTES = 255;
const MAXIMUM_USER_BYTES = 104;

/** A NetBIOS name has at most 15 characters. */
const NETBIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_DOMAIN_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const FORBIDDEN_USER_CHARACTERS = '"/\\:;|=,+*?<>@[]';

/** Validates the Windows options of a container or pod. */
export function validateWindowsOptions(options: WindowsOptions | undefined, field: string): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  const errors =
    name === undefined ? [] : invalidTexts(`${field}.gmsaCredentialSpecName`, name, dns1123Subdomain(name));
  if (spec === '')
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && Buffer.byteLength(spec) > MAXIMUM_CREDENTIAL_SPEC_BYTES)
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec size must be under 64 KiB'));
  return user === undefined
    ? errors
    : [...errors, ...invalidTexts(`${field}.runAsUserName`, user, userNameTexts(user))];
}

/** Validates `user` or `domain\user`. */
function userNameTexts(text: string): string[] {
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(text)) return ['runAsUserName cannot contain control characters'];
  const parts = text.split('\\', 3);
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1)!;
  return [...(parts.length === 2 ? domainTexts(parts[0]!) : []), ...userTexts(user)];
}

function domainTexts(domain: string): string[] {
  const isKnown =
    NETBIOS_DOMAIN.test(domain) || domain.split('.').every((label) => DNS_DOMAIN_LABEL.test(label));
  return [
    ...(Buffer.byteLength(domain) > MAXIMUM_DOMAIN_BYTES
      ? ["runAsUserName's Domain length must be under 256 characters"]
      : []),
    ...(isKnown ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userTexts(user: string): string[] {
  const texts: string[] = [];
  if (user === '') texts.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > MAXIMUM_USER_BYTES)
    texts.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) texts.push("runAsUserName's User cannot contain only periods or spaces");
  if ([...FORBIDDEN_USER_CHARACTERS].some((character) => user.includes(character)))
    texts.push(`runAsUserName's User cannot contain the following characters: ${FORBIDDEN_USER_CHARACTERS}`);
  return texts;
}

/** Validates HostProcess containers: all containers of a pod or none, with the host network. */
export function validateHostProcesses(
  spec: PodSpec,
  field: string,
  { allowPrivileged = false }: PodValidationOptions,
): FieldError[] {
  const podHostProcess = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  let containers = 0;
  let processes = 0;
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [index, { securityContext }] of (spec[list] ?? []).entries()) {
      const hostProcess = securityContext?.windowsOptions?.hostProcess;
      containers += 1;
      if (hostProcess ?? podHostProcess) processes += 1;
      if (podHostProcess !== undefined && hostProcess !== undefined && hostProcess !== podHostProcess) {
        const at = `${field}.${list}[${index}].securityContext.windowsOptions.hostProcess`;
        errors.push(
          invalid(
            at,
            hostProcess,
            `pod hostProcess value must be identical if both are specified, was ${podHostProcess}`,
          ),
        );
      }
    }
  }
  if (processes === 0) return errors;
  if (processes !== containers)
    errors.push(
      invalid(
        field,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    );
  if (spec.hostNetwork !== true)
    errors.push(
      invalid(
        `${field}.hostNetwork`,
        false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    );
  if (!allowPrivileged)
    errors.push(forbidden(field, 'hostProcess containers are disallowed by cluster policy'));
  return errors;
}
