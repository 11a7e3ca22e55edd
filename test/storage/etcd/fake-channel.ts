import {
  type BidiStream,
  type Channel,
  GrpcError,
  type StreamHandlers,
  type UnaryOptions,
} from '../../../src/grpc/grpc.ts';

/** A protobuf field: a number as a varint, everything else with its length. */
export function field(number: number, value: number | string | Uint8Array): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
  const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

export const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);

/** A response header. */
export const header = (revision: number, clusterId = 7): Buffer =>
  field(1, message(field(1, clusterId), field(3, revision)));

export const noLeader = (): GrpcError => new GrpcError(14, 'etcdserver: no leader', true, true);
export const lost = (): GrpcError => new GrpcError(14, 'the connection was closed', false, true);
export const refused = (): GrpcError => new GrpcError(14, 'connect ECONNREFUSED', false, false);

export interface FakeStream {
  readonly sent: Buffer[];
  readonly handlers: StreamHandlers;
  cancelled: boolean;
}

/** A channel whose answers the test decides. */
export class FakeChannel implements Channel {
  connections = 1;
  readonly calls: { path: string; request: Uint8Array; timeout: number }[] = [];
  readonly streams: FakeStream[] = [];
  /** Number of checks that the endpoint answers. */
  probes = 0;
  /** Answers a unary call. */
  answer: (path: string) => Buffer | GrpcError | Promise<Buffer> = () => header(1);

  readonly unary = async (path: string, request: Uint8Array, { timeout }: UnaryOptions): Promise<Buffer> => {
    this.calls.push({ path, request, timeout });
    const answer = await this.answer(path);
    if (answer instanceof GrpcError) throw answer;
    return answer;
  };

  bidi(_path: string, _metadata: Readonly<Record<string, string>>, handlers: StreamHandlers): BidiStream {
    const stream: FakeStream = { sent: [], handlers, cancelled: false };
    this.streams.push(stream);
    return {
      write: (bytes) => void stream.sent.push(Buffer.from(bytes)),
      pause: () => undefined,
      resume: () => undefined,
      cancel: () => {
        stream.cancelled = true;
      },
    };
  }

  probe(): void {
    this.probes += 1;
  }

  close(): void {}
}
