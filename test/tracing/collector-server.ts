import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** Field values of a protobuf message by number: bytes, or numbers for varints. */
type Fields = Map<number, (Buffer | number)[]>;

/** Decodes one level of a message. */
export function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    let value: Buffer | number;
    if ((key & 7) === 0) value = varint();
    else {
      const length = (key & 7) === 2 ? varint() : (key & 7) === 1 ? 8 : 4;
      value = message.subarray(at, at + length);
      at += length;
    }
    const known = fields.get(key >>> 3) ?? [];
    fields.set(key >>> 3, [...known, value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const text = (fields: Fields, number: number): string => String(fields.get(number)?.[0] ?? '');
const digits = (fields: Fields, number: number): string =>
  (fields.get(number)?.[0] as Buffer | undefined)?.toString('hex') ?? '';

function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value] = messages(pair, 2);
      const string = value!.get(1)?.[0];
      const double = value!.get(4)?.[0] as Buffer | undefined;
      const other = value!.get(2)?.[0] === undefined ? value!.get(3)?.[0] : value!.get(2)?.[0] === 1;
      return [text(pair, 1), string === undefined ? (double?.readDoubleLE() ?? other) : String(string)];
    }),
  );
}

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly service: unknown;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  /** Nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Record<string, unknown>;
  readonly events: readonly string[];
  /** Trace ids. */
  readonly links: readonly string[];
}

function spansOf(request: Fields): ReceivedSpan[] {
  return messages(request, 1).flatMap((resource) => {
    const about = attributesOf(messages(resource, 1)[0]!, 1);
    return messages(resource, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => ({
        service: about['service.name'],
        traceId: digits(span, 1),
        id: digits(span, 2),
        parentId: digits(span, 4),
        name: text(span, 5),
        kind: span.get(6)![0] as number,
        start: (span.get(7)![0] as Buffer).readBigUInt64LE(),
        end: (span.get(8)![0] as Buffer).readBigUInt64LE(),
        attributes: attributesOf(span, 9),
        events: messages(span, 11).map((event) => text(event, 2)),
        links: messages(span, 13).map((link) => digits(link, 1)),
      })),
    );
  });
}

/** A gRPC server that receives spans. */
export class CollectorServer {
  readonly spans: ReceivedSpan[] = [];
  /** gRPC status of the next answers; 0 for success. */
  status = 0;
  /** Export requests so far. */
  requests = 0;
  /** `:authority` of the latest request. */
  authority: string | undefined;
  /** Receives requests and does not answer. */
  silent = false;
  readonly #server: Http2Server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor() {
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('error', () => undefined);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        this.requests += 1;
        this.authority = headers[':authority'];
        if (this.silent) return;
        const known = headers[':path'] === '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
        const status = known ? this.status : 12;
        const body = Buffer.concat(chunks);
        if (status === 0) this.spans.push(...spansOf(fieldsOf(body.subarray(5, 5 + body.readUInt32BE(1)))));
        stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () =>
          stream.sendTrailers({
            'grpc-status': String(status),
            'grpc-message': status === 0 ? '' : 'refused',
          }),
        );
        stream.end(status === 0 ? Buffer.alloc(5) : undefined);
      });
    });
  }

  /** @param where a port number (0: any) or the path of a Unix socket */
  async listen(where: number | string = 0, host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => {
      if (typeof where === 'string') this.#server.listen(where, resolve);
      else this.#server.listen(where, host, resolve);
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
