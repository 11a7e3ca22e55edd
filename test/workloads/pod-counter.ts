import type { Pod } from '../../src/model/generated/core-v1.ts';
import { isActive } from '../../src/reconcile/pods/pod-state.ts';
import type { WorkloadCluster } from './workload-cluster.ts';

/** Follows the Pods of a namespace by a watch, and sees each of their states. */
export class PodCounter {
  readonly pods = new Map<string, Pod>();
  readonly #ended = new AbortController();
  readonly #listeners: ((pods: readonly Pod[]) => void)[] = [];
  #events = 0;
  #waiting: { at: number; resolve: () => void }[] = [];
  #run: Promise<void> = Promise.resolve();

  static async start(cluster: WorkloadCluster): Promise<PodCounter> {
    const counter = new PodCounter();
    const response = await cluster.cluster.fetch(cluster.core('pods?watch=true&resourceVersion=0'), {
      signal: counter.#ended.signal,
    });
    counter.#run = counter.#follow(response.body!);
    return counter;
  }

  /** Pods that are neither finished nor being deleted. */
  get active(): readonly Pod[] {
    return [...this.pods.values()].filter(isActive);
  }

  /** Calls a listener with all Pods after each event. */
  onEvent(listener: (pods: readonly Pod[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves after some more events. */
  changed(events: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ at: this.#events + events, resolve }));
  }

  /** Resolves once its Pods are as expected: it sees them later than the one who changes them. */
  async until(isSo: (pods: readonly Pod[]) => boolean): Promise<void> {
    while (!isSo([...this.pods.values()])) await this.changed(1);
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#run;
  }

  async #follow(body: AsyncIterable<Uint8Array>): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of body) {
        const lines = (rest + Buffer.from(chunk).toString()).split('\n');
        rest = lines.pop()!;
        for (const line of lines) this.#take(JSON.parse(line) as { type: string; object: Pod });
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error;
    }
    if (!this.#ended.signal.aborted) throw new Error('the watch ended');
  }

  #take({ type, object }: { type: string; object: Pod }): void {
    if (type === 'DELETED') this.pods.delete(object.metadata!.name!);
    else this.pods.set(object.metadata!.name!, object);
    this.#events += 1;
    for (const listener of this.#listeners) listener([...this.pods.values()]);
    for (const { resolve } of this.#waiting.filter(({ at }) => at <= this.#events)) resolve();
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#events);
  }
}
