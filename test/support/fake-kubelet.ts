import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { COMMAND_SUCCEEDED, type CommandStatus, STREAM_TYPE } from '../../src/streaming/remote-command.ts';
import { SpdySession } from '../../src/streaming/spdy/session.ts';
import type { SpdyStream } from '../../src/streaming/spdy/stream.ts';

/** What a fake kubelet does with the streams of a command. */
export type FakeCommand = (streams: ReadonlyMap<string, SpdyStream>) => Promise<CommandStatus>;

/** Agrees to SPDY on a taken connection. */
export function agreeToSpdy(socket: Duplex, protocol: string): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
}

/** Answers an exec as a kubelet does: waits for the streams, runs the command, and sends its status. */
export function serveCommand(socket: Duplex, head: Buffer, expected: number, run: FakeCommand): void {
  agreeToSpdy(socket, 'v4.channel.k8s.io');
  const streams = new Map<string, SpdyStream>();
  const session = new SpdySession({
    socket,
    head,
    isServer: true,
    async onStream(stream) {
      streams.set(stream.headers.get(STREAM_TYPE)!, stream);
      if (streams.size < expected) return;
      const status = await run(streams);
      for (const [type, each] of streams) if (type !== 'error') each.end();
      streams.get('error')!.end(JSON.stringify(status));
      session.close();
    },
  });
}

/** Sends back what comes. */
export const echo: FakeCommand = async (streams) => {
  streams.get('stdout')!.write(await text(streams.get('stdin')!));
  return COMMAND_SUCCEEDED;
};
