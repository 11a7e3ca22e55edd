import { ConfigurationError } from '../errors/configuration-error.ts';

/** Ports tried after the default port when it is in use. */
const ATTEMPTS = 100;

export interface ListenRequest {
  readonly address: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** Whether the port was configured explicitly; otherwise the next free port is used. */
  readonly explicit: boolean;
}

/** A server that can listen; rejects with Node's error. */
export interface Listening {
  listen(address: string, port: number): Promise<{ readonly port: number }>;
}

/**
 * Starts `server` listening and returns the port.
 * @throws ConfigurationError when an explicit port is in use, or the address is not local
 */
export async function listen(server: Listening, { address, port, explicit }: ListenRequest): Promise<number> {
  for (let candidate = port; ; candidate += 1) {
    try {
      return (await server.listen(address, candidate)).port;
    } catch (error) {
      const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!inUse || explicit || candidate >= port + ATTEMPTS || candidate >= 65_535)
        throw new ConfigurationError(explain(error as NodeJS.ErrnoException, address, candidate));
    }
  }
}

function explain({ code, message }: NodeJS.ErrnoException, address: string, port: number): string {
  const prefix = 'failed to create listener:';
  if (code === 'EADDRINUSE')
    return `${prefix} port ${port} on ${address} is in use: stop the process that uses it, or choose another port with --secure-port (0 selects a free one)`;
  if (code === 'EACCES')
    return `${prefix} port ${port} on ${address} requires privileges: choose a port above 1023 with --secure-port`;
  if (code === 'EADDRNOTAVAIL') return `${prefix} ${address} is not a local address: change --bind-address`;
  return `${prefix} ${message}`;
}
