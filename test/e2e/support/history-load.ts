import { Agent, request as httpsRequest } from 'node:https';
import type { Operation, Outcome, Request, Version } from '../../storage/history/operation.ts';
import type { SeenEvent, SeenState } from '../../storage/history/watch-history.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly value?: string };
}
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export const versionOf = ({ metadata, data }: ConfigMap): Version => ({
  revision: Number(metadata.resourceVersion),
  value: data?.value ?? '',
});

export interface HistoryLoadOptions {
  readonly urls: readonly string[];
  readonly authorization: string;
  /** Path of the collection. */
  readonly path: string;
  /** Names of the ConfigMaps that the clients use, and of all that lists record. */
  readonly keys: readonly string[];
  readonly recorded: readonly string[];
  /** Whether a patch may be refused because others write the object. */
  readonly patchesConflict?: boolean;
}

/** Clients that read and write a few ConfigMaps through any of several servers, and record what they learn. */
export class HistoryLoad {
  readonly operations: Operation[] = [];
  /** Answers that no fault explains. */
  readonly unexpected: string[] = [];
  /** Times at which writes were acknowledged. */
  readonly acknowledged: number[] = [];
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  readonly #revisions = new Map<string, number>();
  #workers: Promise<void>[] = [];
  #running = true;
  #values = 0;

  constructor(private readonly options: HistoryLoadOptions) {}

  start(clients: number): void {
    this.#workers = Array.from({ length: clients }, async (_, client) => {
      for (let round = client; this.#running; round += 1) await this.#step(client, round);
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#workers);
    this.#agent.destroy();
  }

  /** Reads all keys through a server. Rejects if it does not answer. */
  async list(server: number): Promise<SeenState> {
    const invoked = performance.now();
    const { status, body } = await this.send(server, 'GET', this.options.path);
    if (status !== 200) throw new Error(`list: ${status}`);
    const { metadata, items } = body as unknown as {
      metadata: { resourceVersion: string };
      items: readonly ConfigMap[];
    };
    const versions = new Map(items.map((item) => [item.metadata.name, versionOf(item)]));
    const returned = performance.now();
    for (const key of this.options.recorded) {
      const outcome: Outcome = { kind: 'done', version: versions.get(key) };
      this.operations.push({ client: -1, key, request: { kind: 'read' }, outcome, invoked, returned });
    }
    return { revision: Number(metadata.resourceVersion), versions };
  }

  /** Sends one request. Rejects without an answer. */
  send(server: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(`${this.options.urls[server % this.options.urls.length]}${path}`, {
        method,
        agent: this.#agent,
        // Node omits the length of a DELETE.
        headers: {
          authorization: this.options.authorization,
          'content-type': type,
          'content-length': Buffer.byteLength(text),
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          answer += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(answer) }));
      });
      outgoing.end(text);
    });
  }

  async #step(client: number, round: number): Promise<void> {
    const { keys } = this.options;
    const key = keys[Math.floor(Math.random() * keys.length)]!;
    if (round % 20 === 0) {
      await this.list(round).catch(() => undefined);
      return;
    }
    const request = this.#request(key);
    const invoked = performance.now();
    const outcome = await this.#carryOut(round, key, request);
    const returned = performance.now();
    if (outcome === undefined) return;
    this.operations.push({ client, key, request, outcome, invoked, returned });
    if (outcome.kind !== 'done') return;
    if (request.kind !== 'read') this.acknowledged.push(returned);
    const revision = outcome.revision ?? outcome.version?.revision;
    if (revision !== undefined) this.#revisions.set(key, revision);
  }

  #request(key: string): Request {
    const expected = this.#revisions.get(key);
    const condition = expected === undefined || Math.random() < 0.3 ? {} : { expected };
    const chance = Math.random();
    if (chance < 0.4) return { kind: 'read' };
    if (chance < 0.5) return { kind: 'delete', ...condition };
    this.#values += 1;
    const value = `${key}-${this.#values}`;
    return chance < 0.7 ? { kind: 'create', value } : { kind: 'update', value, ...condition };
  }

  /** Returns undefined if the request was certainly not carried out. */
  async #carryOut(server: number, name: string, request: Request): Promise<Outcome | undefined> {
    const item = `${this.options.path}/${name}`;
    try {
      const answer = await this.#answer(server, name, item, request);
      return this.#outcome(request, answer);
    } catch {
      return { kind: 'unknown' };
    }
  }

  #answer(server: number, name: string, item: string, request: Request): Promise<Answer> {
    if (request.kind === 'read') return this.send(server, 'GET', item);
    const resourceVersion = 'expected' in request ? String(request.expected) : undefined;
    if (request.kind === 'delete')
      return this.send(server, 'DELETE', item, {
        preconditions: { ...(resourceVersion && { resourceVersion }) },
      });
    const object = {
      metadata: { name, ...(resourceVersion && { resourceVersion }) },
      data: { value: request.value },
    };
    if (request.kind === 'create') return this.send(server, 'POST', this.options.path, object);
    if (resourceVersion !== undefined) return this.send(server, 'PUT', item, object);
    return this.send(server, 'PATCH', item, { data: object.data });
  }

  #outcome(request: Request, { status, body }: Answer): Outcome | undefined {
    if (status === 503 || status === 429) return undefined;
    if (status === 504) return request.kind === 'read' ? undefined : { kind: 'unknown' };
    const isPatch = request.kind === 'update' && request.expected === undefined;
    if (status === 409 && isPatch && this.options.patchesConflict) return undefined;
    const object = body as unknown as ConfigMap;
    if (request.kind === 'read') {
      if (status === 200) return { kind: 'done', version: versionOf(object) };
      if (status === 404) return { kind: 'done', version: undefined };
    } else if (status === 200 || status === 201)
      return { kind: 'done', revision: request.kind === 'delete' ? undefined : versionOf(object).revision };
    else if (status === 404 || status === 409) return { kind: 'refused' };
    this.unexpected.push(`${request.kind}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return { kind: 'unknown' };
  }
}

/** A client that follows the ConfigMaps of a namespace; when its watch ends it goes on at the next server. */
export class HistoryWatcher {
  readonly events: SeenEvent[] = [];
  /** Why the watch could not go on. */
  problem: string | undefined;
  #revision: number;
  #closed = false;
  #cancel: () => void = () => undefined;

  constructor(
    private readonly urls: readonly string[],
    private readonly authorization: string,
    private readonly path: string,
    readonly initial: SeenState,
    private server: number,
  ) {
    this.#revision = initial.revision;
    this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #open(): void {
    const url = this.urls[this.server % this.urls.length];
    const outgoing = httpsRequest(
      `${url}${this.path}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#revision}`,
      { agent: false, rejectUnauthorized: false, headers: { authorization: this.authorization } },
    );
    let over = false;
    const next = () => {
      if (over) return;
      over = true;
      outgoing.destroy();
      this.server += 1;
      if (!this.#closed) setTimeout(() => this.#open(), 50);
    };
    this.#cancel = () => outgoing.destroy();
    outgoing.on('error', next);
    outgoing.on('response', (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        if (response.statusCode === 200) for (const line of lines) this.#receive(JSON.parse(line));
      });
      response.on('error', next);
      response.on('end', next);
    });
    outgoing.end();
  }

  #receive({ type, object }: { type: string; object: ConfigMap & { code?: number } }): void {
    if (type === 'ERROR') {
      if (object.code === 410) this.problem = JSON.stringify(object);
      return;
    }
    const { revision, value } = versionOf(object);
    this.#revision = revision;
    if (type !== 'BOOKMARK')
      this.events.push({ type: type as SeenEvent['type'], key: object.metadata.name, revision, value });
  }
}
