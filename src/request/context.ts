import type { Exchange } from '../connection/exchange.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Span } from '../observability/span.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { Attributes } from './attributes.ts';
import type { AuditRecord } from './audit.ts';
import type { Query } from './query.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user.ts';

/** Settings of the response encoding. */
export interface ResponseSettings {
  /** Compress large responses for clients that accept it. */
  readonly compression: boolean;
  /** Offer CBOR. */
  readonly cbor: boolean;
}

/** The state of a request in progress; filters fill it in, in the order of `filters/chain.ts`. */
export interface RequestContext {
  /** A filter may wrap it. */
  exchange: Exchange;
  readonly responses: ResponseSettings;
  /** The release that the cluster implements. */
  readonly scheme: Scheme;
  /** A filter may replace it. */
  query: Query;
  readonly info: RequestInfo;
  /** Monotonic milliseconds at arrival. */
  readonly arrived: number;
  /** Monotonic milliseconds at which the request times out; Infinity for none. Set by the deadline filter. */
  deadline: number;
  /** Set by authentication; anonymous until then. */
  user: UserInfo;
  /**
   * A request of the server itself, to maintain what it needs to work. Set by authentication, for requests
   * inside the process only.
   */
  isOwnWrite?: boolean;
  /** A request of the server's own clients, its controllers among them. Set by authentication. */
  isOwn?: boolean;
  attributes: Attributes | undefined;
  /** Warnings for the response, in order, without duplicates. */
  readonly warnings: Set<string>;
  /** The value of `Audit-Id`: the client's, or a new one. */
  auditId: string;
  /** The audit record; undefined if the request is not audited. */
  audit: AuditRecord | undefined;
  /** Audit annotations; also collected without an audit filter. */
  readonly annotations: Map<string, string>;
  /** Bytes of the largest body or object that the request processes; bounds the duration of its steps. */
  workingSetBytes: number;
  /** The span of the present step: the root, then the handler's. Undefined until one of them begins. */
  span: Span | undefined;
  /** Whether a handler of its resource has begun: errors of filters and of the router are never sent as CBOR. */
  isHandled?: boolean;
  /** The status code, once sent; for logs and metrics. */
  status: number;
  /** The turns of the event loop for its steps: of its flow, once it is classified. */
  turns: LoopTurns;
  /** Milliseconds that the request waited in a queue of priority and fairness. */
  queueMilliseconds: number;
  /** Its classification by priority and fairness; set by the priority filter. */
  flow?: { readonly schema: { readonly name: string }; readonly level: { readonly name: string } };
  /** To be called when a watch has sent its initial events, or another server handles it. Set for watches. */
  watchInitialized?: () => void;
}

export type Handler = (context: RequestContext) => MaybePromise<void>;
/** A filter around a handler: calls `next`, or responds itself. */
export type Filter = (context: RequestContext, next: Handler) => MaybePromise<void>;

/**
 * Runs a step, and `after` when it has ended, also with an error; synchronously if the step was synchronous.
 */
export function whenEnded(step: Handler, context: RequestContext, after: () => void): MaybePromise<void> {
  let result: MaybePromise<void>;
  try {
    result = step(context);
  } catch (error) {
    after();
    throw error;
  }
  if (result instanceof Promise) return result.finally(after);
  after();
}
