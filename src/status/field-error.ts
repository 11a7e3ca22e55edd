/**
 * Errors of one field, as validation collects them. Types, order of text parts and quoting follow the wire.
 */
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
  /** Message without the path: `Invalid value: "x": must be …`. */
  readonly body: string;
}

/** `%v` of a required or printed value: strings quoted, objects as JSON. */
function show(value: unknown): string {
  // Quoted: so the reference prints an absent value.
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part));
}

/** Texts up to this length are shown at once. */
const SHORT = 256;

/**
 * An error that shows a value. A long value is turned into text when the body is first read: a list may have
 * an error for each of its items that shows the whole list, and of very many errors only the first are told.
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
/** `supported` is printed in the order given. */
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
/** The value itself is not repeated: it is too long to be shown. */
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

/** A fault that is not known to be the client's. */
export const internal = (field: string, detail: string): FieldError => ({
  type: 'InternalError',
  field,
  body: withDetail('Internal error', detail),
});

/** `field: body`, the form inside a 422 message. */
export const formatFieldError = ({ field, body }: FieldError): string =>
  field === '' ? body : `${field}: ${body}`;
