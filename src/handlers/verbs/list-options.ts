import { quote } from '../../errors/quote.ts';
import { ALL_FIELDS, type FieldSelector, parseFieldSelector } from '../../model/field-selector.ts';
import {
  EVERYTHING,
  type LabelSelector,
  parseLabelSelector,
  SelectorSyntaxError,
} from '../../model/label-selector.ts';
import { integerParameter } from '../../operations/integer-parameter.ts';
import type { Query } from '../../request/query.ts';
import type { ResourceRow } from '../../resources/resource-set.ts';
import { type ApiError, errors, type FieldError, forbidden, notSupported } from '../../status/index.ts';

/** Options of a list, watch or deletecollection. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** '' if absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  /** Seconds, 0 if absent. */
  readonly timeoutSeconds: number;
  readonly allowWatchBookmarks: boolean;
  /** undefined if absent. */
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Parses list options, in the order of kube-apiserver: numbers, selectors, combinations. {@link checkFieldLabels}
 * follows after the negotiation of the response.
 * @throws ApiError 400 on malformed values, 422 on forbidden combinations
 */
export function parseListOptions(query: Query, watch: boolean, watchList: boolean): ListOptions {
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds') ?? 0;
  const limit = integerParameter(query, 'limit') ?? 0;
  const options: ListOptions = {
    labelSelector: reading(() =>
      query.get('labelSelector') === '' ? EVERYTHING : parseLabelSelector(query.get('labelSelector')),
    ),
    fieldSelector: reading(() =>
      query.get('fieldSelector') === '' ? ALL_FIELDS : parseFieldSelector(query.get('fieldSelector')),
    ),
    resourceVersion: query.get('resourceVersion'),
    resourceVersionMatch: query.get('resourceVersionMatch'),
    limit,
    continueToken: query.get('continue'),
    timeoutSeconds,
    allowWatchBookmarks: query.boolean('allowWatchBookmarks'),
    sendInitialEvents: query.has('sendInitialEvents') ? query.boolean('sendInitialEvents') : undefined,
  };
  const problems = validate(options, watch, watchList);
  if (problems.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', problems);
  return options;
}

function reading<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SelectorSyntaxError ? errors.badRequest(error.message) : error;
  }
}

/**
 * Checks the fields of a selector. Built-in kinds without selectable fields support name and namespace in both
 * scopes. Other kinds list their fields; cluster-scoped ones do not support namespace.
 * @throws ApiError 400 on an unsupported field
 */
export function checkFieldLabels({ fieldSelector }: ListOptions, row: ResourceRow): void {
  const { namespaced, fieldSelectors } = row;
  for (const { field } of fieldSelector.requirements) {
    if (field === 'metadata.name' || fieldSelectors.includes(field)) continue;
    if (field === 'metadata.namespace' && (namespaced || !listsFields(row))) continue;
    throw errors.badRequest(unsupportedField(row, field));
  }
}

const listsFields = ({ fieldSelectors, customKind }: ResourceRow): boolean =>
  fieldSelectors.length > 0 || customKind !== undefined;

function unsupportedField(row: ResourceRow, field: string): string {
  const { group, version, kind } = row;
  if (!listsFields(row))
    return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  if (kind === 'Job') return `field label ${quote(field)} not supported for Job`;
  if (kind === 'ResourceSlice')
    return `field label not supported for ${group}/${version}, Kind=${kind}: ${field}`;
  return `field label not supported: ${field}`;
}

const MATCHES = ['Exact', 'NotOlderThan'];

function validate(options: ListOptions, watch: boolean, watchList: boolean): FieldError[] {
  return watch && watchList ? validateWatch(options) : validateMatch(options);
}

function validateWatch({
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  continueToken,
}: ListOptions): FieldError[] {
  const problems: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan')
    problems.push(
      forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  if (resourceVersionMatch !== '') {
    if (sendInitialEvents === undefined)
      problems.push(
        forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    if (resourceVersionMatch !== 'NotOlderThan')
      problems.push(notSupported(field, resourceVersionMatch, ['NotOlderThan']));
  }
  // A watch from the present begins with the existing objects: it has both options by default.
  const isLegacy = sendInitialEvents === undefined && (resourceVersion === '' || resourceVersion === '0');
  if (continueToken !== '' && (resourceVersionMatch !== '' || isLegacy))
    problems.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
  return problems;
}

function validateMatch({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const problems: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (match !== '') {
    if (resourceVersion === '')
      problems.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      problems.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (!MATCHES.includes(match)) problems.push(notSupported(field, match, [...MATCHES, '']));
    if (match === 'Exact' && resourceVersion === '0')
      problems.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined)
    problems.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return problems;
}

const MAXIMUM_REVISION = 2n ** 64n - 1n;

/** Whether kube-apiserver serves reads of a resource from a watch cache. */
export const hasWatchCache = (
  { storage }: ResourceRow,
  features: { readonly watchCache: boolean },
): boolean => features.watchCache && storage?.watchCache !== false;

/** Prefix of errors of the version of a read that kube-apiserver serves from the store. */
export const INVALID_VERSION = 'invalid resource version: ';

/**
 * Parses a resource version; undefined for the empty string.
 * @param prefix of the error
 * @throws ApiError 400 (kube-apiserver returns 500, except for reads from the store)
 */
export function parseRevision(text: string, prefix = ''): number | undefined {
  if (text === '') return undefined;
  if (isShortNumber(text)) return Number(text);
  const problem = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : text.length > 20 || BigInt(text) > MAXIMUM_REVISION
      ? 'value out of range'
      : undefined;
  if (problem !== undefined)
    throw errors.badRequest(
      `${prefix}resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${problem}`,
    );
  return Number(text);
}

/** Digits below which a number is exact, and in the range of versions. */
const SHORT_DIGITS = 15;

/** Whether a text is a number of few digits, as nearly all versions are. */
function isShortNumber(text: string): boolean {
  if (text.length > SHORT_DIGITS) return false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** The error for an exact read at a revision that does not exist yet. */
export function futureRevision(): ApiError {
  return errors.badRequest('required revision is a future revision');
}
