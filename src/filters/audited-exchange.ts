import type { Duplex } from 'node:stream';
import type { BodyWriter, Exchange, ResponseBody } from '../connection/exchange.ts';
import { ForwardingExchange } from '../connection/forwarding-exchange.ts';
import type { MaybePromise } from '../steps/steps.ts';

const SWITCHING_PROTOCOLS = 101;

/**
 * Called before a status is sent, with whether the response is complete. A promise delays a complete response
 * until it resolves.
 */
export type BeforeResponse = (status: number, whole: boolean) => MaybePromise<unknown>;

/** An exchange that reports its response to the audit first. */
export class AuditedExchange extends ForwardingExchange {
  readonly #beforeAnswer: BeforeResponse;
  /** A response has been started, although nothing has been sent yet. */
  #claimed = false;

  constructor(exchange: Exchange, beforeAnswer: BeforeResponse) {
    super(exchange);
    this.#beforeAnswer = beforeAnswer;
  }

  override get responded(): boolean {
    return this.#claimed || super.responded;
  }

  override respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    if (this.responded) return;
    this.#claimed = true;
    const pending = this.#beforeAnswer(status, true);
    if (pending instanceof Promise) void pending.then(() => super.respond(status, contentType, body));
    else super.respond(status, contentType, body);
  }

  override startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    if (!this.responded) void this.#beforeAnswer(status, false);
    return super.startStream(status, contentType, headers);
  }

  override takeover(): { socket: Duplex; head: Buffer } | undefined {
    const taken = super.takeover();
    if (taken !== undefined) void this.#beforeAnswer(SWITCHING_PROTOCOLS, false);
    return taken;
  }
}
