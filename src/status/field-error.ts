import { quote } from '../errors/quote.ts';
import { jsonShown, SHOWN_CHARACTERS, shortened } from '../errors/shown.ts';

/** Field errors of validation. Types, order of the parts and quoting follow the wire format. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

export interface FieldError {
  readonly type: FieldErrorType;
  /** Path such as `spec.containers[0].name`, `metadata.labels`, `data[key]`; empty for the object itself. */
  readonly field: string;
  /** The message without the path: `Invalid value: "x": must be …`. */
  readonly body: string;
}

/** Maximum errors that a validation collects; a response contains fewer. */
export const MAXIMUM_FIELD_ERRORS = 4096;

type ErrorObserver = (error: FieldError) => void;

let observer: ErrorObserver | undefined;

/** Runs work and passes on each error that it creates. */
export function observeErrors<Result>(observe: ErrorObserver | undefined, work: () => Result): Result {
  const outer = observer;
  observer = observe;
  try {
    return work();
  } finally {
    observer = outer;
  }
}

/** Ends a validation that has found the maximum number of errors. Not an Error: it needs no stack trace. */
const TOO_MANY = Symbol('too many errors');

/** The errors of a validation, which ends when it has created the maximum number of them. */
export function firstErrors(validate: () => readonly FieldError[]): readonly FieldError[] {
  const found: FieldError[] = [];
  try {
    return observeErrors((error) => {
      if (found.push(error) >= MAXIMUM_FIELD_ERRORS) throw TOO_MANY;
    }, validate);
  } catch (error) {
    if (error !== TOO_MANY) throw error;
    return found;
  }
}

/** Returns the errors without those that equal an earlier one. */
export function withoutRepeatedErrors(list: readonly FieldError[]): FieldError[] {
  const known = new Map<string, FieldError[]>();
  return list.filter((error) => {
    const key = `${error.type} ${error.field}`;
    const alike = known.get(key);
    if (alike === undefined) {
      known.set(key, [error]);
      return true;
    }
    // Texts may be long, and are created on demand: only those of errors of one type and field are compared.
    if (alike.some(({ body }) => body === error.body)) return false;
    alike.push(error);
    return true;
  });
}

/** Whether a validation finds no errors. They are dropped, so they are not observed. */
export const isValid = (validate: () => readonly FieldError[]): boolean =>
  observeErrors(undefined, validate).length === 0;

function created(given: FieldError): FieldError {
  const error = given.field.length > SHOWN_CHARACTERS ? withShortField(given) : given;
  observer?.(error);
  return error;
}

/** Paths contain names of members, which a client can make as long as a body. */
const withShortField = (error: FieldError): FieldError => ({
  type: error.type,
  field: shortened(error.field),
  get body() {
    return error.body;
  },
});

/** Formats a value like Go's `%v`: strings quoted, objects as JSON. */
function show(value: unknown): string {
  // kube-apiserver prints an absent value like this.
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return showObject(value as object);
}

/** Texts of very large objects: each item of a list may have an error that shows the whole list. */
const shownObjects = new WeakMap<object, string>();

function showObject(value: object): string {
  const known = shownObjects.get(value);
  if (known !== undefined) return known;
  const shown = jsonShown(value);
  if (shown.length > SHOWN_CHARACTERS) shownObjects.set(value, shown);
  return shown;
}

/** Values up to this length are formatted immediately. */
const SHORT = 256;

/**
 * Creates an error that contains a value. A long value is formatted on demand: a list may have an error per
 * item that repeats the whole list, and only the first errors are reported.
 */
function showing(
  type: FieldErrorType,
  field: string,
  value: unknown,
  textOf: (shown: string) => string,
): FieldError {
  const isLong =
    typeof value === 'string' ? value.length > SHORT : typeof value === 'object' && value !== null;
  if (!isLong) return created({ type, field, body: textOf(show(value)) });
  let body: string | undefined;
  return created({
    type,
    field,
    get body() {
      body ??= textOf(show(value));
      return body;
    },
  });
}

/** Details can repeat the value. */
const withDetail = (head: string, detail: string): string =>
  detail === '' ? head : `${head}: ${shortened(detail)}`;

export const required = (field: string, detail = ''): FieldError =>
  created({
    type: 'FieldValueRequired',
    field,
    body: withDetail('Required value', detail),
  });
export const invalid = (field: string, value: unknown, detail: string): FieldError =>
  showing('FieldValueInvalid', field, value, (shown) => withDetail(`Invalid value: ${shown}`, detail));
/** `supported` is printed in the given order. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError =>
  showing('FieldValueNotSupported', field, value, (shown) =>
    withDetail(
      `Unsupported value: ${shown}`,
      supported.length === 0 ? '' : `supported values: ${supported.map((one) => quote(one)).join(', ')}`,
    ),
  );
export const duplicate = (field: string, value: unknown): FieldError =>
  showing('FieldValueDuplicate', field, value, (shown) => `Duplicate value: ${shown}`);
export const forbidden = (field: string, detail: string): FieldError =>
  created({
    type: 'FieldValueForbidden',
    field,
    body: withDetail('Forbidden', detail),
  });
/** Does not contain the value, which is too long. */
export const tooLong = (field: string, maximum: number): FieldError =>
  created({
    type: 'FieldValueTooLong',
    field,
    body: `Too long: may not be more than ${maximum} bytes`,
  });
export const tooMany = (field: string, actual: number, maximum: number): FieldError =>
  created({
    type: 'FieldValueTooMany',
    field,
    body: `Too many: ${actual}: must have at most ${maximum} items`,
  });
export const notFound = (field: string, value: unknown, detail = ''): FieldError =>
  showing('FieldValueNotFound', field, value, (shown) => withDetail(`Not found: ${shown}`, detail));

/**
 * The errors whose value is formatted by the caller, such as a structure that kube-apiserver prints like Go's
 * `%#v`. An empty `formatted` leaves the value out.
 */
export const invalidFormatted = (field: string, formatted: string, detail: string): FieldError =>
  created({
    type: 'FieldValueInvalid',
    field,
    body: withDetail(formatted === '' ? 'Invalid value' : `Invalid value: ${shortened(formatted)}`, detail),
  });
export const typeInvalidFormatted = (field: string, formatted: string, detail: string): FieldError =>
  created({
    type: 'FieldValueTypeInvalid',
    field,
    body: withDetail(`Invalid value: ${shortened(formatted)}`, detail),
  });
export const notSupportedFormatted = (
  field: string,
  formatted: string,
  supported: readonly string[],
): FieldError =>
  created({
    type: 'FieldValueNotSupported',
    field,
    body: `Unsupported value: ${shortened(formatted)}: supported values: ${supported.map((one) => quote(one)).join(', ')}`,
  });
export const duplicateFormatted = (field: string, formatted: string, detail = ''): FieldError =>
  created({
    type: 'FieldValueDuplicate',
    field,
    body: withDetail(`Duplicate value: ${shortened(formatted)}`, detail),
  });

/** An internal error during validation. */
export const internal = (field: string, detail: string): FieldError =>
  created({
    type: 'InternalError',
    field,
    body: withDetail('Internal error', detail),
  });

/** Formats `field: body`, as in the message of a 422 response. */
export const formatFieldError = ({ field, body }: FieldError): string =>
  field === '' ? body : `${field}: ${body}`;
