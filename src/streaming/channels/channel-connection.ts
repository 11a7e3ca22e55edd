import { Readable } from 'node:stream';
import type { WebSocket } from 'ws';

/** A message on this channel ends the channel that its first byte names, from version 5 on. */
const CLOSE_CHANNEL = 255;
/** Bytes that wait for a slow client. */
const HIGH_WATER = 256 * 1024;
/** The digit of the first channel, where messages are text. */
const ASCII_ZERO = 48;

export interface ChannelOptions {
  /** Channels that the client writes to; messages on others are discarded. */
  readonly inputs: readonly number[];
  /** Messages are text: a digit and base64. */
  readonly base64?: boolean;
  /** The client may end a channel: version 5. */
  readonly closesChannels?: boolean;
}

/** The bytes of one channel that the client sends. */
class ChannelInput extends Readable {
  readonly #wanted: () => void;

  #hasEnded = false;

  constructor(wanted: () => void) {
    super();
    this.#wanted = wanted;
    // Who reads learns of a failure; nobody else has to.
    this.on('error', () => undefined);
  }

  /** @returns whether more bytes are wanted now */
  receive(bytes: Buffer): boolean {
    return this.#hasEnded || this.destroyed || bytes.length === 0 || this.push(bytes);
  }

  receiveEnd(): void {
    if (this.#hasEnded || this.destroyed) return;
    this.#hasEnded = true;
    this.push(null);
  }

  override _read(): void {
    this.#wanted();
  }
}

/**
 * A WebSocket that carries several channels of bytes, as `channel.k8s.io` and its versions do: the first byte of a
 * message is the number of its channel.
 */
export class ChannelConnection {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #options: ChannelOptions;
  readonly #inputs: ReadonlyMap<number, ChannelInput>;

  constructor(socket: WebSocket, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#inputs = new Map(
      options.inputs.map((channel) => [channel, new ChannelInput(() => socket.resume())]),
    );
    socket.on('message', (data) => this.#receive(data as Buffer));
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const input of this.#inputs.values()) input.receiveEnd();
        resolve();
      });
    });
  }

  /** What the client sends on a channel of the inputs, until it ends the channel or the connection. */
  input(channel: number): Readable {
    return this.#inputs.get(channel)!;
  }

  /** Sends bytes on a channel. Resolves when more may be sent; rejects when the client has disconnected. */
  send(channel: number, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = (error?: Error | null): void => (error ? reject(error) : resolve());
      if (this.#options.base64 === true)
        this.#socket.send(`${channel}${Buffer.from(bytes).toString('base64')}`, sent);
      else this.#socket.send(Buffer.concat([Buffer.from([channel]), bytes]), { binary: true }, sent);
      if (this.#socket.bufferedAmount < HIGH_WATER) resolve();
    });
  }

  /** Closes with a close frame, after what was sent. */
  close(): void {
    this.#socket.close(1000);
  }

  #receive(message: Buffer): void {
    if (message.length === 0) return;
    const isText = this.#options.base64 === true;
    const channel = isText ? message[0]! - ASCII_ZERO : message[0]!;
    if (this.#options.closesChannels === true && channel === CLOSE_CHANNEL) {
      this.#inputs.get(message[1] ?? CLOSE_CHANNEL)?.receiveEnd();
      return;
    }
    const input = this.#inputs.get(channel);
    const content = message.subarray(1);
    const bytes = isText ? Buffer.from(content.toString('latin1'), 'base64') : content;
    if (input?.receive(bytes) === false) this.#socket.pause();
  }
}
