import { pipeline, type Readable, type Writable } from 'node:stream';
import { type CommandStatus, reportedStatus, STREAM_TYPE } from './remote-command.ts';
import type { SpdySession } from './spdy/session.ts';
import type { SpdyStream } from './spdy/stream.ts';

/** Most bytes of a status; a kubelet's is short. */
const MAXIMUM_STATUS = 64 * 1024;

/** What is connected to the streams of a command. An absent stream is not opened. */
export interface CommandStreams {
  readonly stdin?: Readable;
  /** Takes output. Resolves when more may come; rejects when the client is gone. */
  stdout?(bytes: Uint8Array): Promise<void>;
  stderr?(bytes: Uint8Array): Promise<void>;
  /** Sizes of the terminal as JSON, one after the other; only with a terminal. */
  readonly resize?: Readable;
}

/**
 * Carries a command over a SPDY connection to a kubelet, by version 4 of the protocol: opens the streams, copies in both
 * directions, and reads the status at the end. Rejects with SpdyError, or as the takers of output do.
 */
export async function runRemoteCommand(
  session: SpdySession,
  { stdin, stdout, stderr, resize }: CommandStreams,
): Promise<CommandStatus> {
  const open = (type: string): Promise<SpdyStream> => session.open(new Map([[STREAM_TYPE, type]]));
  const error = await open('error');
  const status = readStatus(error);
  status.catch(() => undefined);
  if (stdin !== undefined) feed(stdin, await open('stdin'));
  const out = stdout && (await open('stdout'));
  const err = stderr && (await open('stderr'));
  if (resize !== undefined) feed(resize, await open('resize'));
  await Promise.all([out && copy(out, stdout!), err && copy(err, stderr!)]);
  return status;
}

function feed(from: Readable, to: Writable & Readable): void {
  // The kubelet sends nothing here but the end of the stream.
  to.resume();
  pipeline(from, to, () => undefined);
}

async function copy(from: Readable, take: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for await (const chunk of from) await take(chunk as Buffer);
}

async function readStatus(stream: Readable): Promise<CommandStatus> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += (chunk as Buffer).length;
    if (length > MAXIMUM_STATUS) break;
    chunks.push(chunk as Buffer);
  }
  return reportedStatus(Buffer.concat(chunks));
}
