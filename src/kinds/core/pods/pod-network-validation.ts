import type { PodSpec } from '../../../model/generated/core-v1.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import { type FieldError, invalidFormatted, required } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { validateIp } from '../../validation/addresses.ts';
import { appendAll, invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAXIMUM_NAMESERVERS = 3;
const MAXIMUM_SEARCH_PATHS = 32;
const MAXIMUM_SEARCH_CHARACTERS = 2048;

/** Validates the required DNS policy. */
export const validateDnsPolicy = ({ dnsPolicy }: PodSpec, field: string): FieldError[] =>
  dnsPolicy ? validateOneOf(dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`) : [required(`${field}.dnsPolicy`)];

/** Validates hostname and subdomain. */
export const validateHostname = ({ hostname = '', subdomain = '' }: PodSpec, field: string): FieldError[] => [
  ...(hostname === '' ? [] : invalidTexts(`${field}.hostname`, hostname, dns1123Label(hostname))),
  ...(subdomain === '' ? [] : invalidTexts(`${field}.subdomain`, subdomain, dns1123Label(subdomain))),
];

/** Validates the additional entries of the pod's hosts file. */
export const validateHostAliases = (aliases: PodSpec['hostAliases'] = [], field: string): FieldError[] =>
  checkEach(aliases, { place: field, cost: 2 }, ({ ip = '', hostnames = [] }, index) => [
    ...validateIp(ip, `${field}[${index}].ip`),
    ...checkEach(hostnames, { place: field }, (name, nameIndex) =>
      invalidTexts(`${field}[${index}].hostnames[${nameIndex}]`, name, dns1123Subdomain(name)),
    ),
  ]);

/** Validates the DNS configuration; policy None requires a nameserver. */
export function validateDnsConfig({ dnsPolicy, dnsConfig }: PodSpec, field: string): FieldError[] {
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
      validateIp(address, `${field}.nameservers[${index}]`),
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
  appendAll(
    errors,
    checkEach(searches, { place: field }, (search, index) => {
      const name = search.endsWith('.') ? search.slice(0, -1) : search;
      return invalidTexts(`${field}.searches[${index}]`, name, dns1123Subdomain(name));
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
