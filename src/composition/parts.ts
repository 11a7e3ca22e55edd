import type { Logger } from '../observability/log.ts';

type Stop = () => void | Promise<void>;

/** The started parts of a server. They stop in reverse order, also when a later part fails to start. */
export class Parts {
  readonly #logger: Logger;
  readonly #started: { readonly name: string; readonly stop: Stop }[] = [];
  #stopping: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Starts a part and registers its stop function.
   * @throws the error of `start`; nothing is registered then
   */
  async use<Part>(
    name: string,
    start: () => Part | Promise<Part>,
    stop?: (part: Part) => void | Promise<void>,
  ): Promise<Part> {
    const part = await start();
    if (stop !== undefined) this.#started.push({ name, stop: () => stop(part) });
    return part;
  }

  /**
   * Stops all started parts, the last one first. An error is logged and does not prevent the others from
   * stopping.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#started.reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#logger.error('failed to stop a part of the server', {
          part: name,
          err: (error as Error).message,
        });
      }
    }
  }
}
