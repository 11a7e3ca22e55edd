// A minimal HTTP/2 client, to keep its own CPU time low.
import { connect } from 'node:http2';

export class Client {
  constructor(url, token) {
    this.session = connect(url, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 8 << 20 },
      maxSendHeaderBlockLength: 1 << 20,
    });
    // A killed server ends its sessions with an error, which also fails the requests in flight.
    this.session.on('error', () => undefined);
    this.session.on('connect', () => this.session.setLocalWindowSize(64 << 20));
    this.authorization = `Bearer ${token}`;
  }

  /** Sends a request and returns `{ status, bytes, etag?, body }`; the body is kept only with `keep`. */
  request(
    path,
    {
      method = 'GET',
      accept = 'application/json',
      type = 'application/json',
      compression,
      etag,
      body,
      keep = false,
    } = {},
  ) {
    return new Promise((resolve, reject) => {
      const headers = { ':method': method, ':path': path, authorization: this.authorization, accept };
      if (body !== undefined) headers['content-type'] = type;
      if (compression !== undefined) headers['accept-encoding'] = compression;
      if (etag !== undefined) headers['if-none-match'] = etag;
      const stream = this.session.request(headers, { endStream: body === undefined });
      let status = 0;
      let tag;
      let bytes = 0;
      const chunks = [];
      stream.on('response', (answer) => {
        status = answer[':status'];
        tag = answer.etag;
      });
      stream.on('data', (chunk) => {
        bytes += chunk.length;
        if (keep || status >= 400) chunks.push(chunk);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve({ status, bytes, etag: tag, body: Buffer.concat(chunks) }));
      if (body !== undefined) stream.end(body);
    });
  }

  /** Like `request`, but a status of 400 or above is an error. */
  async ask(path, options) {
    const answer = await this.request(path, options);
    if (answer.status >= 400)
      throw new Error(
        `${options?.method ?? 'GET'} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`,
      );
    return answer;
  }

  /** Opens a stream: `onData` receives its chunks; resolves with the response headers. */
  open(path, onData) {
    return new Promise((resolve, reject) => {
      const stream = this.session.request({
        ':path': path,
        authorization: this.authorization,
        accept: 'application/json',
      });
      stream.on('response', () => resolve(stream));
      stream.on('data', onData);
      stream.on('error', reject);
    });
  }

  close() {
    this.session.destroy();
  }
}

/** Runs `count` tasks, `concurrency` at a time; each receives its index. */
export async function many(count, concurrency, task) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
