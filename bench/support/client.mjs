// A plain HTTP/2 client: as little work as possible beside the server that is measured.
import { connect } from 'node:http2';

export class Client {
  constructor(url, token) {
    this.session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 8 << 20 } });
    // A server that is killed while it is measured ends its sessions with an error; the requests in flight
    // tell.
    this.session.on('error', () => undefined);
    this.session.on('connect', () => this.session.setLocalWindowSize(64 << 20));
    this.authorization = `Bearer ${token}`;
  }

  /** Sends a request and answers `{ status, bytes, body? }`; the body is kept only when asked for. */
  request(
    path,
    { method = 'GET', accept = 'application/json', type = 'application/json', body, keep = false } = {},
  ) {
    return new Promise((resolve, reject) => {
      const headers = { ':method': method, ':path': path, authorization: this.authorization, accept };
      if (body !== undefined) headers['content-type'] = type;
      const stream = this.session.request(headers, { endStream: body === undefined });
      let status = 0;
      let bytes = 0;
      const chunks = [];
      stream.on('response', (answer) => {
        status = answer[':status'];
      });
      stream.on('data', (chunk) => {
        bytes += chunk.length;
        if (keep || status >= 400) chunks.push(chunk);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve({ status, bytes, body: Buffer.concat(chunks) }));
      if (body !== undefined) stream.end(body);
    });
  }

  /** As `request`, but an answer of 400 or above is an error. */
  async ask(path, options) {
    const answer = await this.request(path, options);
    if (answer.status >= 400)
      throw new Error(
        `${options?.method ?? 'GET'} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`,
      );
    return answer;
  }

  /** Opens a stream that stays open: `onData` gets its chunks; resolves when the answer has begun. */
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

/** Runs `count` tasks, `concurrency` at a time; a task gets its number. */
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
