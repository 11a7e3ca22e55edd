import type { BodyWriter, Exchange } from '../../connection/exchange.ts';
import { acceptWebSocket } from '../../connection/websocket.ts';

/** A stream to a watch client, with notification of a disconnect. */
export interface OpenStream {
  readonly writer: BodyWriter;
  onClose(callback: () => void): void;
}

/** Opens a watch over WebSocket with one message per event. @param text text frames, else binary */
export async function webSocketStream(exchange: Exchange, text: boolean): Promise<OpenStream | undefined> {
  const channel = await acceptWebSocket(exchange);
  if (channel === undefined) return undefined;
  const writer: BodyWriter = {
    write: (chunk) =>
      channel.send(
        text ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('utf8') : chunk,
      ),
    drained: () => channel.drained(),
    get queuedBytes() {
      return channel.queuedBytes;
    },
    get closed() {
      return channel.closed;
    },
    end: () => channel.close(),
    abort: () => channel.close(1011),
  };
  return { writer, onClose: (callback) => channel.onClose(callback) };
}
