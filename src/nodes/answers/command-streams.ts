import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable, Writable } from 'node:stream';
import { ChannelConnection } from '../../streaming/channels/channel-connection.ts';
import { completeHandshake, offeredProtocols } from '../../streaming/channels/handshake.ts';
import { Channel, type CommandStatus, STREAM_TYPE } from '../../streaming/remote-command.ts';
import { SpdySession } from '../../streaming/spdy/session.ts';
import type { SpdyStream } from '../../streaming/spdy/stream.ts';
import { processClock } from '../../time/clock.ts';
import { agree, chosenProtocol } from './upgrade.ts';

/** Milliseconds in which a client opens its streams. */
const STREAMS_TIMEOUT = 30_000;
/** WebSocket protocols of channels, with those whose messages are base64. */
const CHANNELS = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];
const BASE64 = ['v4.base64.channel.k8s.io', 'base64.channel.k8s.io'];
const SPDY_PROTOCOLS = CHANNELS;

/** The streams of a command, on the side that answers. */
export interface AnsweredStreams {
  stdout(text: string): Promise<void>;
  stderr(text: string): Promise<void>;
  /** Says how the command has ended, and ends the connection. */
  end(status: CommandStatus): Promise<void>;
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>;
}

const isWanted = (query: URLSearchParams, name: string): boolean =>
  query.get(name) === '1' || query.get(name) === 'true';

/** The streams that the query of a request asks for. */
function wantedStreams(query: URLSearchParams): Set<string> {
  const tty = isWanted(query, 'tty');
  const wanted = new Set(['error']);
  if (isWanted(query, 'input')) wanted.add('stdin');
  if (isWanted(query, 'output')) wanted.add('stdout');
  if (isWanted(query, 'error') && !tty) wanted.add('stderr');
  if (tty) wanted.add('resize');
  return wanted;
}

/** Accepts exec and attach, by SPDY or a WebSocket; undefined if the client has left, or opens no streams in time. */
export function acceptCommand(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  query: URLSearchParams,
): Promise<AnsweredStreams | undefined> {
  const wanted = wantedStreams(query);
  return request.headers.upgrade?.toLowerCase() === 'websocket'
    ? overWebSocket(request, socket, head, wanted)
    : overSpdy(request, socket, head, wanted);
}

async function overWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  wanted: ReadonlySet<string>,
): Promise<AnsweredStreams | undefined> {
  const offered = offeredProtocols(request.headers['sec-websocket-protocol']);
  const protocol = offered.find((name) => CHANNELS.includes(name) || BASE64.includes(name));
  const header = (name: string): string | undefined => request.headers[name] as string | undefined;
  const accepted = await completeHandshake({ socket, head, header }, protocol);
  if (accepted === undefined) return undefined;
  const base64 = protocol !== undefined && BASE64.includes(protocol);
  const connection = new ChannelConnection(accepted, { inputs: [], base64 });
  const send = async (channel: number, text: string): Promise<void> => {
    if (text !== '') await connection.send(channel, Buffer.from(text));
  };
  return {
    closed: connection.closed,
    stdout: async (text) => (wanted.has('stdout') ? send(Channel.stdout, text) : undefined),
    stderr: async (text) => (wanted.has('stderr') ? send(Channel.stderr, text) : undefined),
    async end(status) {
      await send(Channel.error, JSON.stringify(status));
      connection.close();
    },
  };
}

async function overSpdy(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  wanted: ReadonlySet<string>,
): Promise<AnsweredStreams | undefined> {
  if (!agree(request, socket, chosenProtocol(request, SPDY_PROTOCOLS))) return undefined;
  const streams = new Map<string, SpdyStream>();
  let complete: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const session = new SpdySession({
    socket,
    head,
    isServer: true,
    onStream(stream) {
      const type = stream.headers.get(STREAM_TYPE) ?? '';
      if (!wanted.has(type) || streams.has(type)) return void stream.destroy();
      // What the client types is not answered.
      (stream as Readable).resume();
      streams.set(type, stream);
      if (streams.size === wanted.size) complete();
    },
  });
  const stopTimer = processClock.after(STREAMS_TIMEOUT, () => session.destroy());
  await Promise.race([opened, session.closed]);
  stopTimer();
  if (streams.size < wanted.size) return undefined;
  const write = async (type: string, text: string): Promise<void> => {
    const stream = streams.get(type);
    if (stream === undefined || text === '') return;
    await new Promise<void>((resolve) => stream.write(text, () => resolve()));
  };
  return {
    closed: session.closed,
    stdout: (text) => write('stdout', text),
    stderr: (text) => write('stderr', text),
    async end(status) {
      await write('error', JSON.stringify(status));
      await Promise.all([...streams.values()].map(endOf));
      session.close();
    },
  };
}

const endOf = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.once('close', resolve).end(resolve);
  });
