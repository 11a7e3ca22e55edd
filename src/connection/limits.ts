/**
 * Time limits and memory bounds of the connection layer; every one of them can be set for a listener. Times
 * are milliseconds, sizes bytes.
 */
export interface ConnectionLimits {
  /** A TLS handshake that takes longer ends the connection. */
  readonly handshakeTimeout: number;
  /** An HTTP/1.1 request whose headers take longer is answered 408. */
  readonly headerTimeout: number;
  /** An HTTP/1.1 request that takes longer, body included, is answered 408. */
  readonly requestTimeout: number;
  /** A connection without any request for this long is closed. */
  readonly idleTimeout: number;
  /**
   * A peer that takes nothing of an answer, or sends nothing of a body that is being read, for this long is
   * ended.
   */
  readonly stallTimeout: number;
  /** The same while the listener drains: nobody shall hold up a server that stops by not reading. */
  readonly drainStallTimeout: number;
  /** An HTTP/2 peer is pinged this often; one that hasn't answered within the stall timeout is gone. */
  readonly pingInterval: number;
  /** All headers of one request; above it 431 on HTTP/1.1, a reset with ENHANCE_YOUR_CALM on HTTP/2. */
  readonly headerBytes: number;
  /** Headers of one request; more are 431 on HTTP/1.1, a reset with ENHANCE_YOUR_CALM on HTTP/2. */
  readonly headerCount: number;
  /** Headers that have not come to their end, over all connections; 64 kB of each connection don't count. */
  readonly unfinishedHeaderBytes: number;
  /** A streamed answer that queues more than this is aborted: its producer didn't respect back-pressure. */
  readonly queuedBytesPerStream: number;
  /**
   * Answers that would make one connection queue more than this are aborted, unless the answer is alone on
   * it.
   */
  readonly queuedBytesPerConnection: number;
  /**
   * Unread request bytes taken in, after an answer that didn't wait for them, so that the client gets to see
   * the answer.
   */
  readonly lingerBytes: number;
  /** How long to take them in. */
  readonly lingerTimeout: number;
  /** Open connections; more are closed at once. */
  readonly connections: number;
  /**
   * Requests waiting on one HTTP/1.1 connection behind the one being answered; no more are read while there
   * are so many.
   */
  readonly pipelinedRequests: number;
}

/** 32 s for headers, 90 s idle and 1 MB of headers are kube-apiserver's. */
export const defaultLimits: ConnectionLimits = {
  handshakeTimeout: 10_000,
  headerTimeout: 32_000,
  requestTimeout: 300_000,
  idleTimeout: 90_000,
  stallTimeout: 30_000,
  drainStallTimeout: 2_000,
  pingInterval: 30_000,
  headerBytes: 1024 * 1024,
  headerCount: 4_000,
  unfinishedHeaderBytes: 64 * 1024 * 1024,
  queuedBytesPerStream: 16 * 1024 * 1024,
  queuedBytesPerConnection: 256 * 1024 * 1024,
  lingerBytes: 8 * 1024 * 1024,
  lingerTimeout: 1_000,
  connections: 20_000,
  pipelinedRequests: 64,
};

/** Time as the connection layer sees it; tests bring their own. */
export interface ConnectionClock {
  /** Monotonic milliseconds. */
  now(): number;
  /**
   * Calls `action` every `milliseconds` until the function it returns is called; doesn't keep the process
   * alive.
   */
  every(milliseconds: number, action: () => void): () => void;
}

export const systemClock: ConnectionClock = {
  now: () => performance.now(),
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** What a listener has seen since it was made; plain numbers to be read by metrics. */
export interface ConnectionCounters {
  acceptedConnections: number;
  openConnections: number;
  openHttp1Connections: number;
  openHttp2Connections: number;
  /** Handshakes that failed, by anybody's fault. */
  tlsHandshakeErrors: number;
  /** Requests that are being answered. */
  openExchanges: number;
  exchanges: number;
  /** Malformed or oversized requests that never became an exchange. */
  malformedRequests: number;
  /** Streams and connections ended because the peer made no progress. */
  stalled: number;
  /** Answers aborted for queueing more than the bounds allow. */
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
