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

/** Formats a value like Go's `%v`: strings quoted, objects as JSON. */
function show(value: unknown): string {
  // kube-apiserver prints an absent value like this.
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part));
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
  if (!isLong) return { type, field, body: textOf(show(value)) };
  let body: string | undefined;
  return {
    type,
    field,
    get body() {
      body ??= textOf(show(value));
      return body;
    },
  };
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export const required = (field: string, detail = ''): FieldError => ({
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
      supported.length === 0
        ? ''
        : `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
    ),
  );
export const duplicate = (field: string, value: unknown): FieldError =>
  showing('FieldValueDuplicate', field, value, (shown) => `Duplicate value: ${shown}`);
export const forbidden = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  body: withDetail('Forbidden', detail),
});
/** Does not contain the value, which is too long. */
export const tooLong = (field: string, maximum: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  body: `Too long: may not be more than ${maximum} bytes`,
});
export const tooMany = (field: string, actual: number, maximum: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  body: `Too many: ${actual}: must have at most ${maximum} items`,
});
export const notFound = (field: string, value: unknown): FieldError =>
  showing('FieldValueNotFound', field, value, (shown) => `Not found: ${shown}`);

/**
 * The errors whose value is formatted by the caller, such as a structure that kube-apiserver prints like Go's
 * `%#v`. An empty `formatted` leaves the value out.
 */
export const invalidFormatted = (field: string, formatted: string, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  body: withDetail(formatted === '' ? 'Invalid value' : `Invalid value: ${formatted}`, detail),
});
export const typeInvalidFormatted = (field: string, formatted: string, detail: string): FieldError => ({
  type: 'FieldValueTypeInvalid',
  field,
  body: `Invalid value: ${formatted}: ${detail}`,
});
export const notSupportedFormatted = (
  field: string,
  formatted: string,
  supported: readonly string[],
): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  body: `Unsupported value: ${formatted}: supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});
export const duplicateFormatted = (field: string, formatted: string, detail = ''): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  body: withDetail(`Duplicate value: ${formatted}`, detail),
});

/** An internal error during validation. */
export const internal = (field: string, detail: string): FieldError => ({
  type: 'InternalError',
  field,
  body: withDetail('Internal error', detail),
});

/** Formats `field: body`, as in the message of a 422 response. */
export const formatFieldError = ({ field, body }: FieldError): string =>
  field === '' ? body : `${field}: ${body}`;
