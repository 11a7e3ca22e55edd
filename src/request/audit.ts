import type { Exchange } from '../connection/exchange.ts';
import type { StatusDetails } from '../status/api-error.ts';
import type { Attributes } from './attributes.ts';
import type { MaybePromise, RequestContext } from './context.ts';
import type { UserInfo } from './user.ts';

/** What an object in a request's body says of itself. */
export interface AuditedIdentity {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The Status of an answer, as far as an audit event repeats it. */
export interface AuditedStatus {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
}

/**
 * The record that is kept of one request. Whoever serves the request tells it what it learns; a request that
 * nobody audits has none.
 */
export interface AuditRecord {
  /**
   * Bodies of requests are recorded. Where they are not, nothing has to be encoded for {@link requestBody}.
   */
  readonly wantsRequest: boolean;
  /** Bodies of answers are recorded. */
  readonly wantsResponse: boolean;
  /** Somebody else is acted for from here on. */
  actingAs(user: UserInfo): void;
  /** Completes the reference to the object with what the request's body says. */
  identify(identity: AuditedIdentity): void;
  /**
   * The body of the request as compact JSON, in the version it was sent in. Only the first one counts: a body
   * may be read again.
   */
  requestBody(json: string): void;
  /** The answer is a Status. */
  responseStatus(status: AuditedStatus): void;
  /** The body of the answer as compact JSON. */
  responseBody(json: string): void;
  /** The answer's body is larger than what is recorded. */
  responseBodyLeftOut(): void;
}

/**
 * The record with the stages that the audit filter leads it through. Each answers whether the event was
 * taken.
 */
export interface StagedAuditRecord extends AuditRecord {
  /** The request has been received and its user is known. */
  received(): MaybePromise<boolean>;
  /**
   * Status and headers are about to be sent.
   * @param whole the body goes with them, and with it the answer ends
   */
  answered(code: number, whole: boolean): MaybePromise<boolean>;
  /** The server failed. */
  failed(error: unknown): MaybePromise<boolean>;
  /** The request is over, answered or not. */
  ended(): MaybePromise<boolean>;
}

/** What a request is judged by. */
export interface AuditSubject {
  readonly context: RequestContext;
  readonly exchange: Exchange;
  /** Without a user where the request was refused before it was known who makes it. */
  readonly attributes: Omit<Attributes, 'user'> & { readonly user: UserInfo | undefined };
  readonly longRunning: boolean;
}

/** Keeps records of requests. */
export interface Auditor {
  /** The record of a request; undefined where the policy wants none. */
  begin(subject: AuditSubject): StagedAuditRecord | undefined;
  /** A request was refused because its event could not be kept. */
  refused(): void;
}
