import type { BodyAccount, Exchange } from '../connection/exchange.ts';
import type { Attributes } from './attributes.ts';
import type { AuditRecord } from './audit.ts';
import type { Query } from './query.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user.ts';

/** Switches of how a server answers. */
export interface AnswerSettings {
  /** Large answers are compressed for clients that accept it. */
  readonly compression: boolean;
  /** CBOR is among the encodings. */
  readonly cbor: boolean;
}

/** Everything known about the request in hand; filters fill it in, in the order of `filters/chain.ts`. */
export interface RequestContext {
  /** A filter may put another around it. */
  exchange: Exchange;
  readonly answers: AnswerSettings;
  readonly query: Query;
  readonly info: RequestInfo;
  /** Monotonic milliseconds at arrival. */
  readonly arrived: number;
  /**
   * Monotonic milliseconds at which the request is given up; Infinity for none. Set by the deadline filter.
   */
  deadline: number;
  /** Set by authentication; the anonymous user until then. */
  user: UserInfo;
  attributes: Attributes | undefined;
  /**
   * Opens the account from which the request's body takes its room in memory; unset where bodies aren't
   * bounded in all.
   */
  openBodyAccount?: () => BodyAccount;
  /** Warning texts for the answer, in order, without repetitions. */
  readonly warnings: Set<string>;
  /** The id of the request in the `Audit-Id` header, its own or the client's. */
  auditId: string;
  /** The record that is kept of the request; undefined where nobody wants one. */
  audit: AuditRecord | undefined;
  /** Audit annotations (also where the audit filter is off). */
  readonly annotations: Map<string, string>;
  /** Size of the largest body or object that the request works on: how long its steps may take. */
  workingSetBytes: number;
  /** Status of the answer once sent, for logs and metrics. */
  status: number;
}

export type MaybePromise<T> = T | Promise<T>;
export type Handler = (context: RequestContext) => MaybePromise<void>;
/** One step around a handler: does its work, then calls `next`, or answers itself. */
export type Filter = (context: RequestContext, next: Handler) => MaybePromise<void>;

/**
 * Runs `after` once a step is over: at once when it did not have to wait. Steps below the error filter never
 * throw here.
 */
export function whenSettled(result: MaybePromise<void>, after: () => void): MaybePromise<void> {
  if (result instanceof Promise) return result.finally(after);
  after();
}
