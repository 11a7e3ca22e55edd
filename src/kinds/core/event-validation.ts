import type { Event } from '../../model/generated/core-v1.ts';
import { dns1123Subdomain, qualifiedName } from '../../model/name-syntax.ts';
import { trimEnd } from '../../model/trim-end.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { invalidTexts, validateImmutable } from '../validation/fields.ts';
import { formatGoTime } from '../validation/format-value.ts';
import { validateImmutableTime } from '../validation/object-meta.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const MAXIMUM_TEXT_BYTES = 128;
const MAXIMUM_NOTE_BYTES = 1024;

/**
 * Validates an event of either API. An event with `eventTime` follows the strict rules of events.k8s.io in
 * both.
 * @param strictApi whether the request came through events.k8s.io
 */
export function validateEvent(event: Event, strictApi: boolean): FieldError[] {
  const { metadata, involvedObject = {}, eventTime } = event;
  const namespace = metadata?.namespace ?? '';
  const involved = involvedObject.namespace ?? '';
  const errors: FieldError[] = [];
  if (eventTime) {
    if (involved === '' && namespace !== 'default' && namespace !== 'kube-system')
      errors.push(namespaceError(involved));
    errors.push(...validateReportingFields(event, strictApi));
  } else if (involved === '' ? namespace !== '' && namespace !== 'default' : namespace !== involved)
    errors.push(namespaceError(involved));
  return [...errors, ...invalidTexts('namespace', namespace, dns1123Subdomain(namespace))];
}

const namespaceError = (namespace: string): FieldError =>
  invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
const tooLong = (text: string, limit: number, field: string): FieldError[] =>
  Buffer.byteLength(text) > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];

function validateReportingFields(event: Event, strictApi: boolean): FieldError[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event;
  const controller = strictApi ? 'reportingController' : 'reportingComponent';
  const requiredText = (text: string, field: string): FieldError[] => [
    ...(text === '' ? [required(field)] : []),
    ...tooLong(text, MAXIMUM_TEXT_BYTES, field),
  ];
  return [
    ...(reportingComponent === '' ? [required(controller)] : []),
    ...invalidTexts(controller, reportingComponent, qualifiedName(reportingComponent)),
    ...requiredText(reportingInstance, 'reportingInstance'),
    ...requiredText(action, 'action'),
    ...requiredText(reason, 'reason'),
    ...tooLong(message, MAXIMUM_NOTE_BYTES, 'message'),
  ];
}

/** Validates the additional rules of events.k8s.io for a new event. */
export function validateEventsApiEvent(event: Event): FieldError[] {
  const { eventTime, type = '', firstTimestamp, lastTimestamp, count, source } = event;
  const unset = (set: boolean, field: string): FieldError[] =>
    set ? [invalid(field, '', 'needs to be unset')] : [];
  return [
    ...validateSeries(event),
    ...(eventTime ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset(Boolean(firstTimestamp), 'firstTimestamp'),
    ...unset(Boolean(lastTimestamp), 'lastTimestamp'),
    ...unset(Boolean(count), 'count'),
    ...unset(Boolean(source?.component || source?.host), 'source'),
  ];
}

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Go types of members that are structures. */
const GO_TYPES: Readonly<Record<string, string>> = {
  involvedObject: 'core.ObjectReference',
  related: 'core.ObjectReference',
  source: 'core.EventSource',
};

/** Validates an update through events.k8s.io, where only the series may change. */
export function validateEventsApiEventUpdate(event: Event, old: Event): FieldError[] {
  const immutable = (
    member: keyof Event & string,
    field: string = member,
    absent: unknown = '',
  ): FieldError[] =>
    validateImmutable(event[member] ?? absent, old[member] ?? absent, field, undefined, GO_TYPES[member]);
  return [
    ...(semanticEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...immutable('involvedObject', 'involvedObject', {}),
    ...immutable('reason'),
    ...immutable('message'),
    ...immutable('source', 'source', {}),
    ...validateImmutableTime(event.firstTimestamp, old.firstTimestamp, 'firstTimestamp', formatEventTime),
    ...validateImmutableTime(event.lastTimestamp, old.lastTimestamp, 'lastTimestamp', formatEventTime),
    ...immutable('count', 'count', 0),
    ...immutable('reason'),
    ...immutable('type'),
    ...validateImmutableTime(event.eventTime, old.eventTime, 'eventTime', formatEventTime),
    ...immutable('action'),
    ...immutable('related'),
    ...immutable('reportingComponent', 'reportingController'),
    ...immutable('reportingInstance'),
  ];
}

/** Formats a time without the trailing zeros of its fractional seconds. */
const formatEventTime = (time: string): string => formatGoTime(withoutTrailingZeros(time));

function withoutTrailingZeros(time: string): string {
  if (!time.endsWith('Z') || !time.includes('.')) return time;
  const digits = trimEnd(time.slice(0, -1), '0');
  return `${digits.endsWith('.') ? digits.slice(0, -1) : digits}Z`;
}
