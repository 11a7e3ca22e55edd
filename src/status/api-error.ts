/** Errors are values from one table (`errors.ts`): a Status that knows its HTTP form. */

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** Maximum characters of the message of an error, which can quote what a client sent. */
const MAXIMUM_MESSAGE = 512 * 1024;

/**
 * An error that is sent to the client as a Status. Any other error is an internal error of the server (500).
 */
export class ApiError extends Error {
  override name = 'ApiError';
  /** `metadata.continue` of the Status: the token of an expired list. */
  continueToken: string | undefined;
  /** Other metadata of the Status, passed on from another server. */
  statusMetadata: Readonly<Record<string, unknown>> | undefined;
  constructor(
    readonly code: number,
    /** Status reason; empty for errors that kube-apiserver sends without one. */
    readonly reason: string,
    message: string,
    /** undefined: no `details` member; `{}`: an empty one. */
    readonly details: StatusDetails | undefined,
  ) {
    // A client error needs no stack trace, and capturing one costs more than the rest of the constructor.
    const { stackTraceLimit } = Error;
    if (code < 500) Error.stackTraceLimit = 0;
    super(message.length > MAXIMUM_MESSAGE ? `${message.slice(0, MAXIMUM_MESSAGE)}…` : message);
    Error.stackTraceLimit = stackTraceLimit;
  }

  /** The Status object, members in wire order. */
  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {
        ...this.statusMetadata,
        ...(this.continueToken === undefined ? {} : { continue: this.continueToken }),
      },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: compactDetails(this.details) }),
      code: this.code,
    };
  }
}

/** An object could not be converted to another version. */
export class ConversionFailedError extends ApiError {
  constructor(message: string) {
    super(500, '', message, undefined);
  }
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  /** `Success` or `Failure`; another server's Status may have another word. */
  readonly status: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

function compactDetails({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): StatusDetails {
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes && causes.length > 0
      ? {
          causes: causes.map(({ reason, message, field }) => ({
            ...(reason ? { reason } : {}),
            ...(message ? { message } : {}),
            ...(field ? { field } : {}),
          })),
        }
      : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}
