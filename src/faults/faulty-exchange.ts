import type { BodyWriter, Exchange, ResponseBody } from '../connection/exchange.ts';
import { ForwardingExchange } from '../connection/forwarding-exchange.ts';
import type { ProcessClock } from '../time/clock.ts';
import { DelayedWriter } from './delayed-writer.ts';
import { type FaultRule, waitOf } from './rule.ts';

/** An exchange whose answer is lost, or whose watch ends or is late. */
export class FaultyExchange extends ForwardingExchange {
  readonly #rule: FaultRule;
  readonly #clock: Pick<ProcessClock, 'after'>;

  constructor(exchange: Exchange, rule: FaultRule, clock: Pick<ProcessClock, 'after'>) {
    super(exchange);
    this.#rule = rule;
    this.#clock = clock;
  }

  override respond(status: number, contentType: string | undefined, body: ResponseBody): void {
    if (this.#rule.cut === 'after') this.abort();
    else super.respond(status, contentType, body);
  }

  override startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter {
    const { cut, endWatch, delayEvents } = this.#rule;
    if (cut === 'after') this.abort();
    const writer = super.startStream(status, contentType, headers);
    if (endWatch !== undefined) {
      const cancel = this.#clock.after(waitOf('endWatch', endWatch), () => writer.end());
      this.onFinished(cancel);
    }
    return delayEvents === undefined
      ? writer
      : new DelayedWriter(writer, waitOf('delayEvents', delayEvents), this.#clock);
  }
}
