import type { Exchange } from '../connection/exchange.ts';
import type { StatusDetails } from '../status/api-error.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { Attributes } from './attributes.ts';
import type { RequestContext } from './context.ts';
import type { UserInfo } from './user.ts';

/** The identity of the object in a request body. */
export interface AuditedIdentity {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The part of a response Status that an audit event contains. */
export interface AuditedStatus {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
}

/**
 * The audit record of a request. The code that serves the request adds information to it; a request that is
 * not audited has none.
 */
export interface AuditRecord {
  /** Whether request bodies are recorded. If not, nothing has to be encoded for {@link setRequestBody}. */
  readonly recordsRequestBody: boolean;
  /** Whether response bodies are recorded. */
  readonly recordsResponseBody: boolean;
  /** Records the impersonated user, and the verb that allowed it, if it is constrained. */
  setImpersonatedUser(user: UserInfo, constraint?: string): void;
  /** Completes the object reference with the identity in the request body. */
  setObjectIdentity(identity: AuditedIdentity): void;
  /**
   * Records the request body as compact JSON, in the version of the client. Only the first call counts: a
   * body may be decoded more than once.
   */
  setRequestBody(json: string): void;
  /** Records a response that is a Status. */
  setResponseStatus(status: AuditedStatus): void;
  /** Records the response body as compact JSON. */
  setResponseBody(json: string): void;
  /** Records that the response body exceeds the limit. */
  omitResponseBody(): void;
}

/**
 * An audit record with the stages that the audit filter reports. Each resolves to whether the backend
 * accepted the event.
 */
export interface StagedAuditRecord extends AuditRecord {
  /** The request has been received and its user is authenticated. */
  requestReceived(): MaybePromise<boolean>;
  /**
   * Status and headers are about to be sent.
   * @param isComplete the response is complete with them
   */
  responseStarted(code: number, isComplete: boolean): MaybePromise<boolean>;
  /** The server failed. */
  panicked(error: unknown): MaybePromise<boolean>;
  /** The request has ended, with or without a response. */
  responseComplete(): MaybePromise<boolean>;
}

/** The input of the audit policy. */
export interface AuditSubject {
  readonly context: RequestContext;
  readonly exchange: Exchange;
  /** Without a user if the request failed before authentication. */
  readonly attributes: Omit<Attributes, 'user'> & { readonly user: UserInfo | undefined };
  readonly longRunning: boolean;
}

/** Creates the audit records of requests. */
export interface Auditor {
  /** Creates the record of a request; undefined if the policy does not audit it. */
  begin(subject: AuditSubject): StagedAuditRecord | undefined;
  /** Counts a request that was rejected because its event could not be stored. */
  countRejection(): void;
}
