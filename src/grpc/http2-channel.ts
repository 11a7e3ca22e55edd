import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { holdingClock, processClock } from '../time/clock.ts';
import {
  type BidiStream,
  type Channel,
  frame,
  GRPC,
  GrpcError,
  MessageSplitter,
  type StreamHandlers,
  type UnaryOptions,
} from './grpc.ts';
import { openSession, type SessionOptions } from './open-session.ts';

export interface Http2ChannelOptions extends SessionOptions {
  /** Milliseconds to connect. */
  readonly connectTimeout: number;
  /**
   * Milliseconds between checks that an idle endpoint answers; without it there are none, because many servers
   * close connections with frequent pings.
   */
  readonly keepaliveInterval?: number;
  /** Milliseconds that the answer to a check may take. */
  readonly keepaliveTimeout: number;
}

/** Largest message that is accepted, in bytes. Pages of a range aim far below it, and are repeated if they miss. */
const maximumMessageBytes = 64 << 20;
const sessionWindowBytes = 32 << 20;

interface Connection {
  /** Undefined until the endpoint is dialed. */
  session: ClientHttp2Session | undefined;
  /** Resolves when the session can be used. */
  readonly ready: Promise<ClientHttp2Session>;
  connected: boolean;
  /** The answer to a ping is awaited. */
  isPinged: boolean;
  /** Time of the last probe, in milliseconds of the monotonic clock. */
  probedAt: number;
  /** Pings at intervals; undefined until the connection can be used, and without them. */
  stopPinging: () => void;
  /** Stops the timers; callers that wait for the connection get an error. */
  end: () => void;
  /** Why the session was closed. */
  reason: string;
}

/** gRPC over the HTTP/2 client of Node.js: one session for all calls to an endpoint. */
export class Http2Channel implements Channel {
  connections = 0;
  #connection: Connection | undefined;
  #closed = false;
  readonly #authority: string;

  /** @param url `http://` or `https://` with host and port */
  constructor(
    private readonly url: string,
    private readonly options: Http2ChannelOptions,
  ) {
    this.#authority = new URL(url).host;
  }

  readonly unary = async (
    path: string,
    request: Uint8Array,
    { timeout, signal }: UnaryOptions,
  ): Promise<Buffer> => {
    const connection = this.#connect();
    const session = connection.connected
      ? connection.session!
      : await unlessAborted(connection.ready, signal);
    return new Promise((resolve, reject) => {
      const splitter = new MessageSplitter(maximumMessageBytes);
      let message: Buffer | undefined;
      let failure: GrpcError | undefined;
      const stream = this.#request(session, path, {});
      const call = new Call(stream, (chunk) => {
        stream.setTimeout(timeout);
        splitter.push(chunk);
        message ??= splitter.next();
      });
      const cancel = (error: GrpcError) => {
        failure ??= error;
        stream.close(constants.NGHTTP2_CANCEL);
        this.probe();
      };
      stream.setTimeout(timeout, () =>
        cancel(new GrpcError(GRPC.deadlineExceeded, `no answer within ${timeout / 1000} s`, false, true)),
      );
      const abort = () => cancel(deadlineExceeded(true));
      signal?.addEventListener('abort', abort, { once: true });
      call.onEnd = (error) => {
        signal?.removeEventListener('abort', abort);
        if (failure !== undefined) reject(failure);
        else if (error !== undefined) reject(this.#explain(error, connection));
        else if (message === undefined || splitter.incomplete)
          reject(new GrpcError(GRPC.internal, 'the answer is incomplete', false, true));
        else resolve(message);
      };
      stream.end(frame(request));
    });
  };

  bidi(path: string, metadata: Readonly<Record<string, string>>, handlers: StreamHandlers): BidiStream {
    const connection = this.#connect();
    let stream: ClientHttp2Stream | undefined;
    let over = false;
    let waiting: Buffer[] = [];
    const end = (error: GrpcError) => {
      if (over) return;
      over = true;
      stream?.close(constants.NGHTTP2_CANCEL);
      handlers.onEnd(error);
    };
    const open = (session: ClientHttp2Session) => {
      if (over) return;
      const splitter = new MessageSplitter(maximumMessageBytes);
      stream = this.#request(session, path, metadata);
      const call = new Call(stream, (chunk) => {
        splitter.push(chunk);
        for (let message = splitter.next(); message !== undefined && !over; message = splitter.next())
          handlers.onMessage(message);
      });
      call.onEnd = (error) =>
        end(
          error === undefined
            ? new GrpcError(GRPC.unavailable, 'the server ended the stream', false, true)
            : this.#explain(error, connection),
        );
      for (const message of waiting) stream.write(message);
      waiting = [];
    };
    if (connection.connected) open(connection.session!);
    else connection.ready.then(open).catch(end);
    return {
      write: (message) => {
        if (over) return;
        if (stream === undefined) waiting.push(frame(message));
        else stream.write(frame(message));
      },
      pause: () => void stream?.pause(),
      resume: () => void stream?.resume(),
      cancel: () => {
        over = true;
        stream?.close(constants.NGHTTP2_CANCEL);
      },
    };
  }

  probe(): void {
    const connection = this.#connection;
    if (!connection?.connected) return;
    // Many calls may fail at once, and a server closes a connection with frequent pings: etcd accepts one in 5 s, and
    // two more while it has nothing to send.
    const now = processClock.monotonic();
    if (now - connection.probedAt < (this.options.keepaliveInterval ?? 0)) return;
    connection.probedAt = now;
    this.#pingPeriodically(connection);
    this.#ping(connection);
  }

  close(): void {
    this.#closed = true;
    if (this.#connection !== undefined) this.#drop(this.#connection, 'the client is closed');
  }

  #request(session: ClientHttp2Session, path: string, metadata: Readonly<Record<string, string>>) {
    try {
      return session.request({
        ':method': 'POST',
        ':path': path,
        // Node.js leaves out the brackets of IPv6 addresses.
        ':authority': this.#authority,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...metadata,
      });
    } catch (error) {
      throw unavailable(`${this.url}: ${(error as Error).message}`, false);
    }
  }

  #connect(): Connection {
    if (this.#closed) throw unavailable('the client is closed', false);
    this.#connection ??= this.#open();
    return this.#connection;
  }

  #open(): Connection {
    const { tls, connectTimeout } = this.options;
    let settle: (result: ClientHttp2Session | GrpcError) => void = () => undefined;
    const connection: Connection = {
      session: undefined,
      connected: false,
      isPinged: false,
      probedAt: Number.NEGATIVE_INFINITY,
      stopPinging: () => undefined,
      end: () => undefined,
      reason: '',
      ready: new Promise((resolve, reject) => {
        settle = (result) => (result instanceof GrpcError ? reject(result) : resolve(result));
      }),
    };
    connection.ready.catch(() => undefined);
    const stopWaiting = holdingClock.after(connectTimeout, () =>
      this.#drop(
        connection,
        `no connection within ${connectTimeout / 1000} s${tls?.ca ? ' (does it accept the client certificate?)' : ''}`,
      ),
    );
    const dialing = new AbortController();
    connection.end = () => {
      dialing.abort(new Error('the connection was closed'));
      stopWaiting();
      connection.stopPinging();
      if (this.#connection === connection) this.#connection = undefined;
      settle(unavailable(`${this.url}: ${connection.reason || 'the connection was closed'}`, false));
    };
    const started = (session: ClientHttp2Session) => {
      connection.session = session;
      session.once('remoteSettings', () => {
        stopWaiting();
        if (session.destroyed) return;
        session.setLocalWindowSize(sessionWindowBytes);
        connection.connected = true;
        this.connections += 1;
        this.#pingPeriodically(connection);
        settle(session);
      });
      session.on('error', (error) => this.#drop(connection, error.message));
      session.on('goaway', () => this.#drop(connection, 'the server closes the connection'));
      session.on('close', connection.end);
    };
    openSession(this.url, this.options, dialing.signal, started, ({ message }) =>
      this.#drop(connection, message),
    );
    return connection;
  }

  /** Sends a ping after each interval from now on. */
  #pingPeriodically(connection: Connection): void {
    const { keepaliveInterval } = this.options;
    if (keepaliveInterval === undefined) return;
    connection.stopPinging();
    connection.stopPinging = processClock.every(keepaliveInterval, () => this.#ping(connection));
  }

  #ping(connection: Connection): void {
    const { session } = connection;
    // One at a time: a server may close a connection with many pings.
    if (session === undefined || session.destroyed || connection.isPinged) return;
    const stopWaiting = processClock.after(this.options.keepaliveTimeout, () =>
      this.#drop(connection, 'the server does not answer'),
    );
    const answered = () => {
      connection.isPinged = false;
      stopWaiting();
    };
    connection.isPinged = session.ping(answered);
    if (!connection.isPinged) stopWaiting();
  }

  /** Closes a connection with all its calls; the next call opens another. */
  #drop(connection: Connection, reason: string): void {
    connection.reason ||= reason;
    connection.session?.destroy();
    // Node.js does not report the end of a session whose TLS handshake the server has refused.
    connection.end();
  }

  #explain(error: GrpcError, { reason }: Connection): GrpcError {
    if (error.answered) return error;
    return new GrpcError(error.status, `${this.url}: ${reason || error.message}`, false, error.sent);
  }
}

/** The response side of a stream: data, and one end with the status. */
class Call {
  onEnd: (error: GrpcError | undefined) => void = () => undefined;
  #headers: IncomingHttpHeaders | undefined;
  #error: GrpcError | undefined;

  constructor(stream: ClientHttp2Stream, onData: (chunk: Buffer) => void) {
    const onHeaders = (headers: IncomingHttpHeaders) => {
      if (headers['grpc-status'] !== undefined) this.#headers = headers;
      else if (Number(headers[':status']) !== 200)
        this.#error ??= unavailable(`the server answered with HTTP status ${headers[':status']}`, true);
    };
    stream.on('response', onHeaders);
    stream.on('trailers', onHeaders);
    stream.on('data', (chunk: Buffer) => {
      try {
        onData(chunk);
      } catch (error) {
        this.#error ??= error instanceof GrpcError ? error : unavailable((error as Error).message, true);
        stream.close(constants.NGHTTP2_CANCEL);
      }
    });
    stream.on('error', (error) => {
      this.#error ??= unavailable(error.message, true);
    });
    stream.on('close', () => {
      const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      this.onEnd(this.#error ?? this.#status(refused));
    });
  }

  #status(refused: boolean): GrpcError | undefined {
    if (this.#headers === undefined) return unavailable('the connection was closed', !refused);
    const status = Number(this.#headers['grpc-status']);
    if (status === GRPC.ok) return undefined;
    return new GrpcError(status, decodeMessage(String(this.#headers['grpc-message'] ?? '')), true, true);
  }
}

const deadlineExceeded = (sent: boolean) =>
  new GrpcError(GRPC.deadlineExceeded, 'deadline exceeded', false, sent);

/** The result of a promise; rejects with GrpcError when the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(deadlineExceeded(false));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function unavailable(message: string, sent: boolean): GrpcError {
  return new GrpcError(GRPC.unavailable, message, false, sent);
}

/** Messages of statuses are percent-encoded. */
function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
