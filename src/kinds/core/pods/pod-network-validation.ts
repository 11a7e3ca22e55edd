import type { PodSpec } from '../../../model/generated/core-v1.ts';
import {
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
} from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, invalidFormatted, required, tooLong } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { validateLegacyIp } from '../../validation/addresses.ts';
import { appendAll, forbiddenIf, invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAXIMUM_NAMESERVERS = 3;
const MAXIMUM_SEARCH_PATHS = 32;
const MAXIMUM_SEARCH_CHARACTERS = 2048;
/** The search path of names that are complete. */
const ROOT = '.';

const isRelaxedSearch = (search: string): boolean => search === ROOT || search.includes('_');

/** Validates the required DNS policy. */
export const validateDnsPolicy = ({ dnsPolicy }: PodSpec, field: string): FieldError[] =>
  dnsPolicy ? validateOneOf(dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`) : [required(`${field}.dnsPolicy`)];

/** Validates hostname and subdomain. */
export const validateHostname = ({ hostname = '', subdomain = '' }: PodSpec, field: string): FieldError[] => [
  ...(hostname === '' ? [] : invalidTexts(`${field}.hostname`, hostname, dns1123Label(hostname))),
  ...(subdomain === '' ? [] : invalidTexts(`${field}.subdomain`, subdomain, dns1123Label(subdomain))),
];

const MAXIMUM_OVERRIDE_BYTES = 64;

/** Validates the hostname that replaces the one of the pod's name and subdomain. */
export function validateHostnameOverride(
  { hostnameOverride, setHostnameAsFQDN, hostNetwork }: PodSpec,
  field: string,
): FieldError[] {
  if (hostnameOverride === undefined) return [];
  return [
    ...forbiddenIf(setHostnameAsFQDN === true, field, 'may not be specified when setHostnameAsFQDN is true'),
    ...forbiddenIf(hostNetwork === true, field, 'may not be specified when hostNetwork is true'),
    ...(Buffer.byteLength(hostnameOverride) > MAXIMUM_OVERRIDE_BYTES
      ? [tooLong(field, MAXIMUM_OVERRIDE_BYTES)]
      : []),
    ...invalidTexts(field, hostnameOverride, dns1123Subdomain(hostnameOverride)),
  ];
}

/** Validates the additional entries of the pod's hosts file. */
export const validateHostAliases = (
  aliases: PodSpec['hostAliases'] = [],
  field: string,
  context: RuleContext,
): FieldError[] =>
  checkEach(aliases, { place: field, cost: 2 }, ({ ip = '', hostnames = [] }, index) => [
    ...validateLegacyIp(ip, `${field}[${index}].ip`, context),
    ...checkEach(hostnames, { place: field }, (name, nameIndex) =>
      invalidTexts(`${field}[${index}].hostnames[${nameIndex}]`, name, dns1123Subdomain(name)),
    ),
  ]);

/** Validates the DNS configuration; policy None requires a nameserver. */
export function validateDnsConfig(
  { dnsPolicy, dnsConfig }: PodSpec,
  field: string,
  context: PodSpecValidationOptions,
): FieldError[] {
  const isRequired = dnsPolicy === 'None';
  if (dnsConfig === undefined)
    return isRequired ? [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')] : [];
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (isRequired && nameservers.length === 0)
    return [
      required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    ];
  const errors: FieldError[] = [];
  if (nameservers.length > MAXIMUM_NAMESERVERS)
    errors.push(
      invalidFormatted(
        `${field}.nameservers`,
        formatGo('[]string', nameservers),
        `must not have more than ${MAXIMUM_NAMESERVERS} nameservers`,
      ),
    );
  appendAll(
    errors,
    checkEach(nameservers, { place: field, cost: 2 }, (address, index) =>
      validateLegacyIp(address, `${field}.nameservers[${index}]`, context),
    ),
  );
  if (searches.length > MAXIMUM_SEARCH_PATHS)
    errors.push(
      invalidFormatted(
        `${field}.searches`,
        formatGo('[]string', searches),
        `must not have more than ${MAXIMUM_SEARCH_PATHS} search paths`,
      ),
    );
  if (Buffer.byteLength(searches.join(' ')) > MAXIMUM_SEARCH_CHARACTERS)
    errors.push(
      invalidFormatted(
        `${field}.searches`,
        formatGo('[]string', searches),
        `must not have more than ${MAXIMUM_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
      ),
    );
  const isRelaxed =
    context.isOn('RelaxedDNSSearchValidation') ||
    context.old?.dnsConfig?.searches?.some(isRelaxedSearch) === true;
  const check = isRelaxed ? dns1123SubdomainWithUnderscore : dns1123Subdomain;
  appendAll(
    errors,
    checkEach(searches, { place: field }, (search, index) => {
      if (isRelaxed && search === ROOT) return [];
      const name = search.endsWith('.') ? search.slice(0, -1) : search;
      return invalidTexts(`${field}.searches[${index}]`, name, check(name));
    }),
  );
  appendAll(
    errors,
    checkEach(options, { place: field }, ({ name = '' }, index) =>
      name === '' ? [required(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  );
  return errors;
}
