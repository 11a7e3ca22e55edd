import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { BinnacleError } from '../errors/binnacle-error.ts';
import { DecodeError } from './decode-error.ts';
import type { YamlOutcome, YamlTask } from './yaml-worker.ts';

/** A YAML document parsed by the worker thread. */
export interface JsonOfYaml {
  readonly json: Uint8Array;
  /** As in `parseYaml`. */
  readonly duplicates: readonly string[];
}

/** The queue of the worker thread is full. */
export class YamlThreadBusyError extends BinnacleError {
  override name = 'YamlThreadBusyError';
  readonly code = 'ERR_BINNACLE_YAML_THREAD_BUSY';
}

/** Maximum documents queued or being parsed; each may have the maximum body size. */
const MOST_TASKS = 32;
/** Idle time after which the thread ends. */
const IDLE_MILLISECONDS = 5000;
/** Bounds the memory of a document: the events of 3 MB take about 300 MB. */
const HEAP_MEGABYTES = 1024;

interface Waiting {
  resolve(result: JsonOfYaml): void;
  reject(error: Error): void;
}

/**
 * A worker thread that parses large YAML documents sequentially. It starts on first use and ends when idle.
 */
export class YamlThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ids = 0;

  /**
   * Parses a document.
   * @returns undefined if the worker's code is not next to this file, as in a third-party bundle
   * @throws DecodeError as in `parseYaml`, YamlThreadBusyError
   */
  async read(bytes: Uint8Array): Promise<JsonOfYaml | undefined> {
    if (this.#waiting.size >= MOST_TASKS) throw new YamlThreadBusyError();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    if (worker === undefined) return undefined;
    clearTimeout(this.#idle);
    worker.ref();
    const id = ++this.#ids;
    const result = new Promise<JsonOfYaml>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const task: YamlTask = { id, bytes: Uint8Array.from(bytes) };
    worker.postMessage(task, [task.bytes.buffer as ArrayBuffer]);
    return result;
  }

  /** Whether the thread is running. */
  get running(): boolean {
    return this.#worker !== undefined;
  }

  /** Ends the thread when it is idle. */
  async stop(): Promise<void> {
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker | undefined {
    const entry = entryPoint();
    if (entry === undefined) return undefined;
    const limits = { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } };
    const worker = entry.pathname.endsWith('.ts')
      ? new Worker(loaderOf(entry), { eval: true, ...limits })
      : new Worker(entry, limits);
    worker.on('message', (outcome: YamlOutcome) => this.#settle(outcome));
    worker.on('error', () => this.#failed(worker));
    worker.on('exit', () => this.#failed(worker));
    return worker;
  }

  #settle(outcome: YamlOutcome): void {
    const waiting = this.#waiting.get(outcome.id);
    this.#waiting.delete(outcome.id);
    if ('error' in outcome) waiting?.reject(new DecodeError(outcome.error));
    else waiting?.resolve(outcome);
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.stop(), IDLE_MILLISECONDS).unref();
  }

  /** The thread has run out of memory: the current and all queued documents are refused. */
  #failed(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new DecodeError('yaml: document takes too much memory'));
    this.#waiting.clear();
  }
}

/** The worker's code: next to this file in the sources, at the top of the bundle in a build. */
function entryPoint(): URL | undefined {
  return ['./yaml-worker.ts', './yaml-worker.js', '../yaml-worker.js']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => url.protocol === 'file:' && existsSync(fileURLToPath(url)));
}

/** A program that loads a source file: threads do not inherit the loader of this one. */
const loaderOf = (entry: URL): string =>
  `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); })`;

/** The worker thread of this process. */
export const yamlThread = new YamlThread();
