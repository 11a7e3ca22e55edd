import { type ClientHttp2Session, connect } from 'node:http2';

/** Sends requests over HTTP/2 to those servers that say that they are ready, as a load balancer does. */
export class BalancedClient {
  readonly #sessions = new Map<string, ClientHttp2Session>();
  readonly #ready = new Set<string>();
  readonly #urls: readonly string[];
  readonly #probe: NodeJS.Timeout;
  #next = 0;

  /** @param authorization header of every request */
  constructor(
    urls: readonly string[],
    private readonly authorization: string,
  ) {
    this.#urls = urls;
    this.#probe = setInterval(() => void this.probe(), 100);
  }

  /** Asks every server whether it is ready. */
  async probe(): Promise<void> {
    await Promise.all(
      this.#urls.map(async (url) => {
        const status = await this.#send(url, 'GET', '/readyz').catch(() => 0);
        if (status === 200) this.#ready.add(url);
        else this.#ready.delete(url);
      }),
    );
  }

  get readyServers(): number {
    return this.#ready.size;
  }

  /** Returns the status of the response. Rejects when there is none. */
  send(method: string, path: string, body?: unknown): Promise<number> {
    const ready = [...this.#ready];
    if (ready.length === 0) return Promise.reject(new Error('no server is ready'));
    this.#next += 1;
    return this.#send(ready[this.#next % ready.length]!, method, path, body);
  }

  close(): void {
    clearInterval(this.#probe);
    for (const session of this.#sessions.values()) session.destroy();
  }

  #send(url: string, method: string, path: string, body?: unknown): Promise<number> {
    return new Promise((resolve, reject) => {
      const stream = this.#session(url).request({
        ':method': method,
        ':path': path,
        authorization: this.authorization,
        'content-type': 'application/json',
      });
      let status = 0;
      stream.on('response', (headers) => {
        status = headers[':status'] ?? 0;
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(status));
      stream.resume();
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** A session takes no further requests after GOAWAY; those that are open end on it. */
  #session(url: string): ClientHttp2Session {
    const open = this.#sessions.get(url);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const session = connect(url, { rejectUnauthorized: false });
    const forget = (): void => {
      if (this.#sessions.get(url) === session) this.#sessions.delete(url);
    };
    session.on('error', forget);
    session.on('goaway', forget);
    session.on('close', forget);
    this.#sessions.set(url, session);
    return session;
  }
}
