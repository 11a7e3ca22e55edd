import { aggregate } from '../errors/aggregate.ts';
import { quote } from '../errors/quote.ts';
import { shortened } from '../errors/shown.ts';
import { ApiError, ConversionFailedError, type StatusCause } from './api-error.ts';
import { type FieldError, formatFieldError, MAXIMUM_FIELD_ERRORS } from './field-error.ts';

/** Names a resource in an error: `deployments.apps`, or `pods` in the core group. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** Limit on the causes in a response. */
const MAXIMUM_CAUSES = 1000;

const qualified = (group: string, name: string): string => (group === '' ? name : `${name}.${group}`);

/** Limit on the characters of all causes: each may repeat a value as large as a body. */
const MAXIMUM_CAUSES_LENGTH = 256 * 1024;

/** The first error, and further ones up to the length limit. */
function withinLength(list: readonly FieldError[]): readonly FieldError[] {
  let length = 0;
  const count = list.findIndex(({ field, body }) => {
    length += field.length + body.length;
    return length > MAXIMUM_CAUSES_LENGTH;
  });
  return count < 0 ? list : list.slice(0, Math.max(count, 1));
}

const othersOf = (found: number, reported: number): string =>
  found < MAXIMUM_FIELD_ERRORS
    ? `and ${found - reported} more errors`
    : `and more than ${MAXIMUM_FIELD_ERRORS - reported - 1} more errors`;

/** The reasons of errors that other servers answer with, by status. */
const OTHER_SERVER_REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** All API errors. Clients match some of the texts, so they are part of the API. */
export const errors = {
  badRequest: (message: string) => new ApiError(400, 'BadRequest', message, undefined),
  unauthorized: () => new ApiError(401, 'Unauthorized', 'Unauthorized', undefined),
  /** @param text the denied action, after `is forbidden: ` */
  forbidden: ({ group, resource }: ResourceName, name: string, text: string) =>
    new ApiError(
      403,
      'Forbidden',
      resource === ''
        ? `forbidden: ${text}`
        : name === ''
          ? `${qualified(group, resource)} is forbidden: ${text}`
          : `${qualified(group, resource)} ${quote(name)} is forbidden: ${text}`,
      { name, group, kind: resource },
    ),
  notFound: ({ group, resource }: ResourceName, name: string) =>
    new ApiError(404, 'NotFound', `${qualified(group, resource)} ${quote(name)} not found`, {
      name,
      group,
      kind: resource,
    }),
  /** Unknown path inside a served group. */
  pathNotFound: () => new ApiError(404, 'NotFound', 'the server could not find the requested resource', {}),
  methodNotAllowed: (message = 'the server does not allow this method on the requested resource') =>
    new ApiError(405, 'MethodNotAllowed', message, {}),
  methodNotSupported: ({ group, resource }: ResourceName, verb: string) =>
    new ApiError(
      405,
      'MethodNotAllowed',
      `${verb} is not supported on resources of kind ${JSON.stringify(qualified(group, resource))}`,
      {
        group,
        kind: resource,
      },
    ),
  /** No accepted media type is offered. */
  notAcceptable: (accepted: readonly string[]) =>
    new ApiError(
      406,
      'NotAcceptable',
      `406: Not Acceptable\n\nAvailable representations: ${accepted.join(', ')}`,
      {},
    ),
  /** The media type is offered, but not with these parameters or for this response. */
  notAcceptableForm: (accepted: readonly string[]) =>
    new ApiError(
      406,
      'NotAcceptable',
      `only the following media types are accepted: ${accepted.join(', ')}`,
      undefined,
    ),
  notAcceptableProjection: (message: string) => new ApiError(406, 'NotAcceptable', message, undefined),
  unsupportedMediaType: (accepted: readonly string[]) =>
    new ApiError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
      undefined,
    ),
  requestTimeout: (message: string) => new ApiError(504, 'Timeout', message, {}),
  alreadyExists: ({ group, resource }: ResourceName, name: string) =>
    new ApiError(409, 'AlreadyExists', `${qualified(group, resource)} ${quote(name)} already exists`, {
      name,
      group,
      kind: resource,
    }),
  generatedNameExists: ({ group, resource }: ResourceName, name: string) =>
    new ApiError(
      409,
      'AlreadyExists',
      `${qualified(group, resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
      { name, group, kind: resource, retryAfterSeconds: 1 },
    ),
  conflict: ({ group, resource }: ResourceName, name: string, text: string) =>
    new ApiError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(group, resource)} ${quote(name)}: ${text}`,
      {
        name,
        group,
        kind: resource,
      },
    ),
  applyConflict: (causes: readonly StatusCause[], text: string) =>
    new ApiError(409, 'Conflict', text, { causes }),
  /**
   * Reports at most {@link MAXIMUM_CAUSES} causes and 256 kB of them; the message contains the number of the
   * others as far as they were counted.
   */
  invalid: ({ group, kind }: KindName, givenName: string, list: readonly FieldError[]) => {
    const name = shortened(givenName);
    const reported = withinLength(list.slice(0, MAXIMUM_CAUSES));
    const texts = [
      ...reported.map(formatFieldError),
      ...(list.length > reported.length ? [othersOf(list.length, reported.length)] : []),
    ];
    const summary = texts.length === 0 ? '' : `: ${aggregate(texts)}`;
    return new ApiError(422, 'Invalid', `${qualified(group, kind)} ${quote(name)} is invalid${summary}`, {
      name,
      group,
      kind,
      causes: reported.map(({ type, field, body }) => ({ reason: type, message: body, field })),
    });
  },
  gone: (message: string) => new ApiError(410, 'Gone', message, undefined),
  /** The history or the continue token has expired. */
  expired: (message: string) => new ApiError(410, 'Expired', message, undefined),
  requestEntityTooLarge: (message: string) => new ApiError(413, 'RequestEntityTooLarge', message, undefined),
  tooManyRequests: (message: string, retryAfterSeconds: number) =>
    new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds }),
  tooManyRequestsWithCauses: (message: string, retryAfterSeconds: number, causes: readonly StatusCause[]) =>
    new ApiError(429, 'TooManyRequests', message, { causes, retryAfterSeconds }),
  serviceUnavailable: (message: string) => new ApiError(503, 'ServiceUnavailable', message, undefined),
  /** The requested version does not exist yet; clients retry. */
  resourceVersionTooLarge: (requested: string | number, current: string | number) =>
    new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    }),
  internal: (message: string) =>
    new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
  /** The write may or may not have been stored. */
  outcomeUnknown: (message: string) =>
    new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),
  /** A stored or written object could not be converted to another version. */
  conversionFailed: (message: string) => new ConversionFailedError(message),
  /** Another server has answered with an error. @param message with what the status means */
  otherServer: (code: number, { group, resource }: ResourceName, name: string, message: string) =>
    new ApiError(code, OTHER_SERVER_REASONS.get(code) ?? (code >= 500 ? 'InternalError' : ''), message, {
      name,
      group,
      kind: resource,
    }),
  /** An error to which kube-apiserver gives no reason. */
  failed: (message: string) => new ApiError(500, '', message, undefined),
  insufficientStorage: (message: string) => new ApiError(507, 'InsufficientStorage', message, undefined),
} as const;
