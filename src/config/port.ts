import type { Server } from 'node:net';
import { ConfigurationError } from './errors.ts';

/** Ports tried after the default one when it is taken. */
const ATTEMPTS = 100;

export interface ListenRequest {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether the port was asked for; otherwise the next free one is taken. */
  readonly asked: boolean;
}

/** The part of a net, tls or http server that listening needs. */
export type Listener = Pick<Server, 'listen' | 'once' | 'off' | 'address'>;

/**
 * Makes `server` listen, and answers with the port.
 * @throws ConfigurationError when the port that was asked for is taken, or the address is not this machine's
 */
export async function listen(server: Listener, { address, port, asked }: ListenRequest): Promise<number> {
  for (let candidate = port; ; candidate += 1) {
    const failure = await attempt(server, address, candidate);
    if (failure === undefined) return (server.address() as { port: number }).port;
    const taken = failure.code === 'EADDRINUSE' || (failure.code === 'EACCES' && candidate !== port);
    if (taken && !asked && candidate < port + ATTEMPTS && candidate < 65_535) continue;
    throw new ConfigurationError(explain(failure, address, candidate));
  }
}

function attempt(server: Listener, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      resolve(error);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(undefined);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ host, port });
  });
}

function explain({ code, message }: NodeJS.ErrnoException, address: string, port: number): string {
  const prefix = 'failed to create listener:';
  if (code === 'EADDRINUSE')
    return `${prefix} port ${port} on ${address} is in use: stop what uses it, or choose another with --secure-port (0 takes a free one)`;
  if (code === 'EACCES') return `${prefix} port ${port} on ${address} needs more rights: choose one above 1023 with --secure-port`;
  if (code === 'EADDRNOTAVAIL') return `${prefix} ${address} is not an address of this machine: change --bind-address`;
  return `${prefix} ${message}`;
}
