import { ConfigurationError } from '../errors/configuration-error.ts';

/** Ports tried after the default one when it is taken. */
const ATTEMPTS = 100;

export interface ListenRequest {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether the port was asked for; otherwise the next free one is taken. */
  readonly explicit: boolean;
}

/** What can be made to listen; rejects with Node's own error. */
export interface Listening {
  listen(address: string, port: number): Promise<{ readonly port: number }>;
}

/**
 * Makes `server` listen, and answers with the port.
 * @throws ConfigurationError when the port that was asked for is taken, or the address is not this machine's
 */
export async function listen(server: Listening, { address, port, explicit }: ListenRequest): Promise<number> {
  for (let candidate = port; ; candidate += 1) {
    try {
      return (await server.listen(address, candidate)).port;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || explicit || candidate >= port + ATTEMPTS || candidate >= 65_535)
        throw new ConfigurationError(explain(error as NodeJS.ErrnoException, address, candidate));
    }
  }
}

function explain({ code, message }: NodeJS.ErrnoException, address: string, port: number): string {
  const prefix = 'failed to create listener:';
  if (code === 'EADDRINUSE')
    return `${prefix} port ${port} on ${address} is in use: stop what uses it, or choose another with --secure-port (0 takes a free one)`;
  if (code === 'EACCES')
    return `${prefix} port ${port} on ${address} needs more rights: choose one above 1023 with --secure-port`;
  if (code === 'EADDRNOTAVAIL')
    return `${prefix} ${address} is not an address of this machine: change --bind-address`;
  return `${prefix} ${message}`;
}
