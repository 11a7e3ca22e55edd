import { forbiddenInPath, pathSegmentProblems } from './path-segment.ts';

/**
 * Rules for names, keys and labels. Every rule returns its error messages; none for a valid value. Lengths
 * are in UTF-8 bytes.
 */
export type NameRule = (name: string, prefix: boolean) => string[];

const byteLength = (value: string): number => Buffer.byteLength(value, 'utf8');

export const maximumLengthText = (maximum: number): string => `must be no more than ${maximum} characters`;
export const emptyText = 'must be non-empty';

/**
 * Formats the message of a pattern as clients expect it: `message (e.g. 'a',  or 'b', regex used for
 * validation is 'r')`.
 */
export function patternMessage(message: string, pattern: string, ...examples: string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (${examples.length > 0 ? `e.g. ${quoted}` : ''}regex used for validation is '${pattern}')`;
}

const anchored = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_WITH_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_WITH_UNDERSCORE = `${LABEL_WITH_UNDERSCORE}(\\.${LABEL_WITH_UNDERSCORE})*`;
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const HEADER = '[-A-Za-z0-9]+';
const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const WILDCARD = `\\*\\.${SUBDOMAIN}`;
// The same patterns without nested repetition over the same characters: linear in the length of the input.
const labelPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const underscorePattern = anchored(SUBDOMAIN_WITH_UNDERSCORE);
const dns1035Pattern = anchored(DNS_1035);
const qualifiedPattern = anchored(QUALIFIED);
const labelValuePattern = anchored(LABEL_VALUE);
const configKeyPattern = anchored(CONFIG_KEY);
const headerPattern = anchored(HEADER);
const identifierPattern = anchored(IDENTIFIER);
const wildcardPattern = anchored(WILDCARD);

const labelText = patternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  'my-name',
  '123-abc',
);
const subdomainText = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  'example.com',
);
const underscoreText = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_WITH_UNDERSCORE,
  'example.com',
);
const dns1035Text = patternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  DNS_1035,
  'my-name',
  'abc-123',
);
const qualifiedText = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  'MyName',
  'my.name',
  '123-abc',
);
const labelValueText = patternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  'MyValue',
  'my_value',
  '12345',
);
const configKeyText = patternMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  CONFIG_KEY,
  'key.name',
  'KEY_NAME',
  'key-name',
);
const headerText = patternMessage(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  HEADER,
  'X-Header-Name',
);
const identifierText = patternMessage(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  IDENTIFIER,
  'my_name',
  'MY_NAME',
  'MyName',
);
const wildcardText = patternMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  WILDCARD,
  '*.example.com',
);

export const MAXIMUM_LABEL_LENGTH = 63;
export const MAXIMUM_SUBDOMAIN_LENGTH = 253;

const tooLong = (value: string, maximum: number): string[] =>
  byteLength(value) > maximum ? [maximumLengthText(maximum)] : [];

export function dns1123Label(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_LABEL_LENGTH);
  if (!labelPattern.test(value))
    texts.push(subdomainPattern.test(value) ? 'must not contain dots' : labelText);
  return texts;
}

export function dns1123Subdomain(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_SUBDOMAIN_LENGTH);
  if (!subdomainPattern.test(value)) texts.push(subdomainText);
  return texts;
}

/** A subdomain whose labels can contain underscores, and begin with one. */
export function dns1123SubdomainWithUnderscore(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_SUBDOMAIN_LENGTH);
  if (!underscorePattern.test(value)) texts.push(underscoreText);
  return texts;
}

export function dns1035Label(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_LABEL_LENGTH);
  if (!dns1035Pattern.test(value)) texts.push(dns1035Text);
  return texts;
}

/**
 * Where a list of labels with dots between them is malformed: a character, the first or last one of a label, or a
 * label with more than 253 characters.
 */
const malformedLabel = /[^a-z0-9.-]|(?:^|\.)(?:[-.]|$|[^.]{254})|-(?:\.|$)/;
const malformedShortLabel = /[^a-z0-9.-]|(?:^|\.)(?:[-.]|$|[^.]{64})|-(?:\.|$)/;

/** The first label between dots that is no DNS label of at most `maximum` characters: 63 or 253. */
export function firstMalformedLabel(text: string, maximum: number): string | undefined {
  const found = (maximum === MAXIMUM_LABEL_LENGTH ? malformedShortLabel : malformedLabel).exec(text);
  if (found === null) return undefined;
  // The dot before a label belongs to what is found, but for the first one.
  const at = found.index > 0 && found[0].startsWith('.') ? found.index + 1 : found.index;
  const start = at === 0 ? 0 : text.lastIndexOf('.', at - 1) + 1;
  const end = text.indexOf('.', at);
  return text.slice(start, end < 0 ? undefined : end);
}

export function wildcardSubdomain(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_SUBDOMAIN_LENGTH);
  if (!wildcardPattern.test(value)) texts.push(wildcardText);
  return texts;
}

const NONE: readonly string[] = Object.freeze([]);
/** Matches most keys; the rules below handle the others. */
const plainName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * Validates `name` or `dns.prefix/name`: keys of labels and annotations, names of resources and conditions.
 */
export function qualifiedName(value: string): readonly string[] {
  if (plainName.test(value)) return NONE;
  const slash = value.indexOf('/');
  if (slash !== value.lastIndexOf('/'))
    return [
      `a qualified name ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = value.slice(slash + 1);
  const texts: string[] = [];
  if (slash >= 0)
    texts.push(
      ...(slash === 0 ? [emptyText] : dns1123Subdomain(value.slice(0, slash))).map(
        (text) => `prefix part ${text}`,
      ),
    );
  if (name === '') texts.push(`name part ${emptyText}`);
  else if (byteLength(name) > MAXIMUM_LABEL_LENGTH)
    texts.push(`name part ${maximumLengthText(MAXIMUM_LABEL_LENGTH)}`);
  if (!qualifiedPattern.test(name)) texts.push(`name part ${qualifiedText}`);
  return texts;
}

export function labelValue(value: string): readonly string[] {
  if (value === '' || plainName.test(value)) return NONE;
  const texts = tooLong(value, MAXIMUM_LABEL_LENGTH);
  if (!labelValuePattern.test(value)) texts.push(labelValueText);
  return texts;
}

/** Validates a key of a config map or secret, which can become a file name. */
export function configMapKey(value: string): string[] {
  const texts = tooLong(value, MAXIMUM_SUBDOMAIN_LENGTH);
  if (!configKeyPattern.test(value)) texts.push(configKeyText);
  if (value === '.') texts.push("must not be '.'");
  else if (value === '..') texts.push("must not be '..'");
  else if (value.startsWith('..')) texts.push("must not start with '..'");
  return texts;
}

export const httpHeaderName = (value: string): string[] => (headerPattern.test(value) ? [] : [headerText]);
export const cIdentifier = (value: string): string[] =>
  identifierPattern.test(value) ? [] : [identifierText];

/** Validates the name of an environment variable: printable ASCII without `=`. */
export function environmentVariableName(value: string): string[] {
  if (value === '') return [`environment variable name ${emptyText}`];
  return /^[\x20-\x3c\x3e-\x7e]+$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function portName(value: string): string[] {
  const texts = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value))
    texts.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) texts.push('must contain at least one letter (a-z)');
  if (value.includes('--')) texts.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) texts.push('must not begin or end with a hyphen');
  return texts;
}

export const portNumber = (value: number | bigint): string[] =>
  value >= 1 && value <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];

/** A generateName may end in a dash: a suffix follows. */
const withoutTrailingDash = (name: string, prefix: boolean): string =>
  prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;

export const nameIsSubdomain: NameRule = (name, prefix) =>
  dns1123Subdomain(withoutTrailingDash(name, prefix));
export const nameIsLabel: NameRule = (name, prefix) => dns1123Label(withoutTrailingDash(name, prefix));
export const nameIsDns1035Label: NameRule = (name, prefix) => dns1035Label(withoutTrailingDash(name, prefix));
/** Validates a path segment of a URL. */
export const nameIsPathSegment: NameRule = (name, prefix) =>
  prefix ? forbiddenInPath(name) : pathSegmentProblems(name);
