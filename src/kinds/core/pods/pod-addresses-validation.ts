import type { PodStatus } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  duplicateFormatted,
  type FieldError,
  internal,
  invalid,
  invalidFormatted,
  isValid,
} from '../../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../../steps/replay.ts';
import { validateIp, validateLegacyIp } from '../../validation/addresses.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { formatGoList, formatGoStruct, formatGoText } from '../../validation/format-struct.ts';

type Address = { readonly ip?: string };

const ONE_PER_FAMILY = 'may specify no more than one IP for each IP family';

const formatAddress = (kind: string, { ip }: Address): string =>
  formatGoStruct(`core.${kind}`, { IP: formatGoText(ip) });

/** The releases that report addresses twice, also because they are of one family. */
const REPORTS_REPEATED: Life = { until: '1.33' };

const validateAddresses = (
  addresses: readonly Address[],
  old: readonly Address[] = [],
  field: string,
  context: RuleContext,
): FieldError[] => {
  const stored = old.map(({ ip = '' }) => ip);
  return addresses.flatMap(({ ip = '' }, index) =>
    validateLegacyIp(ip, `${field}[${index}]`, context, stored),
  );
};

/** Validates `status.podIPs`: valid addresses, at most one per family. */
export function validatePodIps(
  { podIPs: addresses = [] }: PodStatus,
  old: PodStatus,
  context: RuleContext,
): FieldError[] {
  const field = 'status.podIPs';
  return [
    ...validateAddresses(addresses, old.podIPs, field, context),
    ...validateFamilies(addresses, 'PodIP', field),
    ...(context.has(REPORTS_REPEATED) ? validateRepeated(addresses, 'PodIP', field) : []),
  ];
}

/** Validates `status.hostIPs`: the first is `hostIP`; valid addresses, at most one per family. */
export function validateHostIps(
  { hostIP = '', hostIPs = [] }: PodStatus,
  old: PodStatus,
  context: RuleContext,
): FieldError[] {
  const field = 'status.hostIPs';
  const first = hostIPs[0]?.ip ?? '';
  if (hostIPs.length === 0) return [];
  return [
    ...(first === hostIP ? [] : [invalid(`${field}[0].ip`, first, 'must be equal to `hostIP`')]),
    ...validateAddresses(hostIPs, old.hostIPs, field, context),
    ...(context.has(REPORTS_REPEATED) ? validateRepeated(hostIPs, 'HostIP', field) : []),
    ...validateFamilies(hostIPs, 'HostIP', field),
  ];
}

/** Validates that there is at most one address per family. */
function validateFamilies(addresses: readonly Address[], kind: string, field: string): FieldError[] {
  if (addresses.length < 2) return [];
  const valid = resultsOfEach(addresses, { place: 'valid', cost: 2 }, ({ ip = '' }) =>
    isValid(() => validateIp(ip, field)),
  );
  const invalidIndex = valid.indexOf(false);
  const families = new Set(addresses.map(({ ip = '' }) => ip.includes(':')));
  const errors: FieldError[] =
    invalidIndex < 0
      ? []
      : [
          internal(
            field,
            `failed to check for dual stack with error:invalid IP[${invalidIndex}]: ${addresses[invalidIndex]?.ip ?? ''}`,
          ),
        ];
  if (invalidIndex >= 0 || families.size < 2 || addresses.length > 2)
    errors.push(
      invalidFormatted(
        field,
        formatGoList(`core.${kind}`, addresses, (address) => formatAddress(kind, address)),
        ONE_PER_FAMILY,
      ),
    );
  return errors;
}

function validateRepeated(addresses: readonly Address[], kind: string, field: string): FieldError[] {
  const repeated = findDuplicates(addresses, ({ ip = '' }) => ip);
  return checkEach(addresses, { place: `duplicates in ${field}` }, (address, index) =>
    repeated.has(index) ? [duplicateFormatted(`${field}[${index}]`, formatAddress(kind, address))] : [],
  );
}
