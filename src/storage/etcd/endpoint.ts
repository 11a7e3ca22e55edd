import type { Channel } from '../../grpc/grpc.ts';
import { decodeStatus, type StatusResponse } from './messages.ts';
import { STATUS } from './paths.ts';
import { encodeStatus } from './requests.ts';

/** One member of an etcd cluster. */
export class Endpoint {
  /** The connection, by its number, on which the history of the cluster was last recognized. */
  recognized = 0;
  #trusted: boolean | undefined;
  #reading: Promise<StatusResponse> | undefined;

  constructor(
    readonly url: string,
    readonly channel: Channel,
  ) {}

  /**
   * Whether its progress notifications are never ahead of events: since etcd 3.4.31 and 3.5.13. Undefined until
   * its version is known.
   */
  get reportsProgress(): boolean | undefined {
    return this.#trusted;
  }

  /** Reads version and size; calls at the same time share one request. @throws GrpcError */
  status(timeout: number): Promise<StatusResponse> {
    this.#reading ??= this.#status(timeout).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #status(timeout: number): Promise<StatusResponse> {
    const status = decodeStatus(await this.channel.unary(STATUS, encodeStatus(), { timeout }));
    this.#trusted = isTrustedVersion(status.version);
    return status;
  }
}

/** Whether progress notifications of a version of etcd are reliable (etcd issue 15220). */
export function isTrustedVersion(version: string): boolean {
  const [major, minor, patch] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major === undefined || minor === undefined || patch === undefined || Number.isNaN(patch)) return false;
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 31;
  if (minor === 5) return patch >= 13;
  return minor > 5;
}
