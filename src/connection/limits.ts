/**
 * Timeouts and memory bounds of the connection layer, configurable per listener. Times are in milliseconds,
 * sizes in bytes.
 */
export interface ConnectionLimits {
  /** A TLS handshake that takes longer ends the connection. */
  readonly handshakeTimeout: number;
  /**
   * An HTTP/1.1 request whose headers take longer gets a 408 response; an HTTP/2 connection ends when its preface or
   * a header block takes longer.
   */
  readonly headerTimeout: number;
  /** An HTTP/1.1 request that takes longer, body included, gets a 408 response. */
  readonly requestTimeout: number;
  /** A connection without any request for this long is closed. */
  readonly idleTimeout: number;
  /** A peer that makes no progress on a response, or on a body being read, for this long is disconnected. */
  readonly stallTimeout: number;
  /** The same while the listener drains: a client that does not read must not delay the shutdown. */
  readonly drainStallTimeout: number;
  /** An HTTP/1.1 connection whose last response is older is closed when the listener drains. */
  readonly drainIdleTime: number;
  /** Time for clients to close their connections when the listener drains and no request is open. */
  readonly drainCloseTimeout: number;
  /** Time to acknowledge HTTP/2 settings, and between the two steps of a graceful GOAWAY. */
  readonly acknowledgeTimeout: number;
  /** Interval of HTTP/2 pings; a peer that does not reply within the stall timeout is disconnected. */
  readonly pingInterval: number;
  /** All headers of one request; above it 431. An HTTP/2 connection whose coded header block is larger ends. */
  readonly headerBytes: number;
  /** Headers of one request; more are 431. */
  readonly headerCount: number;
  /** Incomplete headers over all connections; 64 kB of each connection are not counted. */
  readonly unfinishedHeaderBytes: number;
  /** Request bodies on HTTP/2 that nobody reads yet; 256 kB of each connection are not counted. */
  readonly unreadBodyBytes: number;
  /** A streamed response that queues more than this is aborted: its producer ignored back-pressure. */
  readonly queuedBytesPerStream: number;
  /**
   * Responses that would make one connection queue more than this are aborted, unless alone on the
   * connection.
   */
  readonly queuedBytesPerConnection: number;
  /**
   * Unread request bytes that are discarded after an early response, so that the client can read the
   * response.
   */
  readonly lingerBytes: number;
  /** Maximum time to discard them. */
  readonly lingerTimeout: number;
  /** Open connections; more are closed at once. */
  readonly connections: number;
  /** Maximum queued requests on one HTTP/1.1 connection; reading stops while the pipeline is full. */
  readonly pipelinedRequests: number;
}

/** Bytes of incomplete headers that each connection may hold regardless of the others. */
export const FREE_HEADER_BYTES = 64 * 1024;
/** The same of bodies that nobody reads. */
export const FREE_UNREAD_BYTES = 256 * 1024;

/** The header timeout of 32 s, the idle timeout of 90 s and 1 MB of headers are kube-apiserver's. */
export const defaultLimits: ConnectionLimits = {
  handshakeTimeout: 10_000,
  headerTimeout: 32_000,
  requestTimeout: 300_000,
  idleTimeout: 90_000,
  stallTimeout: 30_000,
  drainStallTimeout: 2_000,
  drainIdleTime: 100,
  drainCloseTimeout: 1_000,
  acknowledgeTimeout: 10_000,
  pingInterval: 30_000,
  headerBytes: 1024 * 1024,
  headerCount: 4_000,
  unfinishedHeaderBytes: 64 * 1024 * 1024,
  unreadBodyBytes: 64 * 1024 * 1024,
  queuedBytesPerStream: 16 * 1024 * 1024,
  queuedBytesPerConnection: 256 * 1024 * 1024,
  lingerBytes: 8 * 1024 * 1024,
  lingerTimeout: 1_000,
  connections: 20_000,
  pipelinedRequests: 64,
};

/** Counters of a listener since its creation, read by metrics. */
export interface ConnectionCounters {
  acceptedConnections: number;
  openConnections: number;
  openHttp1Connections: number;
  openHttp2Connections: number;
  /** Failed handshakes, for any reason. */
  tlsHandshakeErrors: number;
  /** Requests in flight. */
  openExchanges: number;
  exchanges: number;
  /** Malformed or oversized requests that never became an exchange. */
  malformedRequests: number;
  /** Streams and connections ended because the peer made no progress. */
  stalled: number;
  /** Responses aborted for exceeding the queue bounds. */
  overflowed: number;
  /** HTTP/2 sessions ended by a protocol error, floods included. */
  sessionErrors: number;
  goawaysSent: number;
}

export const newCounters = (): ConnectionCounters => ({
  acceptedConnections: 0,
  openConnections: 0,
  openHttp1Connections: 0,
  openHttp2Connections: 0,
  tlsHandshakeErrors: 0,
  openExchanges: 0,
  exchanges: 0,
  malformedRequests: 0,
  stalled: 0,
  overflowed: 0,
  sessionErrors: 0,
  goawaysSent: 0,
});
