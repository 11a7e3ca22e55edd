import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Where a connection goes: a host name or an IP address without brackets, and a port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens byte streams to other servers; TLS is added above. An egress proxy is another implementation. Rejects
 * with the error of the system, or with OutboundError. Aborting the signal ends the attempt.
 */
export type Dialer = (address: Address, signal: AbortSignal) => Promise<Duplex>;

/** Connects directly. */
export const directDialer: Dialer = ({ host, port }, signal) =>
  dialSocket({ host, port, noDelay: true }, signal);

/** Connects by TCP, or to a Unix socket. Rejects with the error of the system. */
export const dialSocket = (options: NetConnectOpts, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(options);
    const abort = () => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', fail);
      resolve(socket);
    });
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort);
      reject(error);
    };
    socket.once('error', fail);
    if (signal.aborted) abort();
  });
