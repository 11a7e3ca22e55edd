/** A sustained rate and the burst above it. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Bounds of one session. Times are in milliseconds, sizes in bytes. */
export interface SessionLimits {
  /** Fields of a request, each with its name, value and 32 bytes; more must get a 431 response. */
  readonly headerBytes: number;
  /** Fields of a request; more must get a 431 response. */
  readonly headerCount: number;
  /** Concurrent streams. */
  readonly streams: number;
  /** Time for the preface and the client's settings, and for a header block in several frames. */
  readonly headerTimeout: number;
  /** Time to acknowledge settings. */
  readonly settingsTimeout: number;
  /** Time between the two steps of a graceful GOAWAY, if the client does not answer the ping. */
  readonly goawayTimeout: number;
  /** After a connection error, input is discarded for this long, so that the client can read the GOAWAY. */
  readonly lingerTimeout: number;
  readonly lingerBytes: number;
}

/** Frames of a header block after the first one. */
export const MOST_CONTINUATIONS = 256;
/** Those among them that are empty. */
export const MOST_EMPTY_CONTINUATIONS = 8;
/** Settings in one frame. */
export const MOST_SETTINGS = 32;

/** Receive window of a stream whose body nobody reads yet: kube-apiserver's. */
export const STREAM_WINDOW = 256 * 1024;
/** Receive window of a stream while its body is read. */
export const READING_WINDOW = 1024 * 1024;
/** Receive window of the connection. It is credited on receipt: the windows of streams bound what is held. */
export const CONNECTION_WINDOW = 16 * 1024 * 1024;
/**
 * Milliseconds from an early response to the reset of its stream. The window is not widened meanwhile, so that a client
 * sends few bytes in vain.
 */
export const EARLY_ANSWER_GRACE = 250;
export const HEADER_TABLE_BYTES = 4096;

/** Bytes of control frames and response headers that wait for a client that does not read. */
export const MOST_CONTROL_BYTES = 1024 * 1024;
/** Bytes of response bodies that one session writes in one turn of the event loop. */
export const BYTES_PER_TURN = 256 * 1024;
/** Streams whose late frames are ignored, because this side has reset them. */
export const MOST_RESET_STREAMS = 1024;

/**
 * How often a client may send frames that do no work. A session that exceeds one of them ends with
 * ENHANCE_YOUR_CALM.
 */
export const FRAME_RATES = {
  /** RST_STREAM, and resets that the server is made to send. A client may cancel thousands of watches at once. */
  reset: { burst: 5_000, perSecond: 200 },
  /** PING, beyond one per RST_STREAM, which is what Go's client sends. */
  ping: { burst: 1_000, perSecond: 20 },
  settings: { burst: 100, perSecond: 2 },
  /** WINDOW_UPDATE, beyond one for each kilobyte sent. */
  windowUpdate: { burst: 10_000, perSecond: 1_000 },
  /** PRIORITY, beyond two per request. */
  priority: { burst: 1_000, perSecond: 100 },
  /** DATA without a byte and without the end of the stream. */
  emptyData: { burst: 100, perSecond: 10 },
  /** Frames of unknown types. */
  unknown: { burst: 1_000, perSecond: 100 },
} as const satisfies Record<string, Rate>;
