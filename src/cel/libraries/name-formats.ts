import { subdomainErrors } from '../../model/label-syntax.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const MAX_LABEL_LENGTH = 63;

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const DNS_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const problemsOf = (text: string, pattern: RegExp, message: string): string[] => [
  ...(Buffer.byteLength(text) > MAX_LABEL_LENGTH
    ? [`must be no more than ${MAX_LABEL_LENGTH} characters`]
    : []),
  ...(pattern.test(text) ? [] : [message]),
];

/** Errors of a DNS-1123 label; empty when valid. */
export const label1123Problems = (text: string): string[] => problemsOf(text, LABEL, LABEL_TEXT);
/** Errors of a DNS-1035 label; empty when valid. */
export const label1035Problems = (text: string): string[] => problemsOf(text, DNS_1035, DNS_1035_TEXT);
/** Errors of a DNS-1123 subdomain; empty when valid. */
export const subdomainProblems = subdomainErrors;

/** The same check for a name prefix (`generateName`), which can end in a dash. */
export function allowingTrailingDash(problems: (text: string) => string[]): (text: string) => string[] {
  return (text) => problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
}
