import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from '../../model/generated/core-v1.ts';
import { COMMAND_SUCCEEDED, commandRefused, exitStatus } from '../../streaming/remote-command.ts';
import { streamPair } from '../../streaming/stream-pair.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { acceptCommand } from './command-streams.ts';
import { containerStatus, isRunning } from './container-state.ts';
import { attachAnswer, commandAnswer, logOf, portAnswer } from './literals.ts';
import { selectLog } from './log-lines.ts';
import { answerPorts, sendText } from './ports.ts';
import { refuse } from './upgrade.ts';

/** Milliseconds between two looks at the Pod of a log that is followed. */
const FOLLOW_INTERVAL = 500;

export interface KubeletServerOptions {
  /** The present Pod; undefined for an absent one. */
  readPod(namespace: string, name: string): Promise<Pod | undefined>;
  /** What containers log whose Pods do not say it. */
  readonly logsContent: string | undefined;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The cluster's time in milliseconds. */
  now(): number;
}

/**
 * The HTTP server of simulated kubelets. It listens nowhere: connections to it are made inside the process. All that it
 * answers are texts of annotations.
 */
export class KubeletServer {
  readonly #options: KubeletServerOptions;
  readonly #server: Server;

  constructor(options: KubeletServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => undefined);
      this.#upgrade(request, socket, head).catch(() => socket.destroy());
    });
  }

  /** A connection to the server. */
  connect(): Duplex {
    const [near, far] = streamPair();
    far.on('error', () => undefined);
    this.#server.emit('connection', far);
    return near;
  }

  /** A connection to a port of a Pod; undefined if nothing listens there. */
  connectPort(pod: Pod, port: number): Duplex | undefined {
    const text = portAnswer(pod, String(port));
    if (text === undefined) return undefined;
    const [near, far] = streamPair();
    far.on('error', () => undefined);
    sendText(far, text);
    return near;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { action, namespace, name, container, query } = parse(request);
    if (action === 'healthz') return void response.end('ok');
    if (action !== 'containerLogs')
      return void fail(response, 404, `a simulated kubelet has no ${request.url}`);
    const pod = await this.#options.readPod(namespace, name);
    if (pod === undefined) return fail(response, 404, `pod "${name}" not found`);
    const isPrevious = query.get('previous') === 'true';
    const status = containerStatus(pod, container);
    const state = isPrevious
      ? status?.lastState?.terminated
      : (status?.state?.running ?? status?.state?.terminated);
    if (state === undefined) {
      const quoted = `container "${container}" in pod "${name}"`;
      const reason = status?.state?.waiting?.reason ?? 'ContainerCreating';
      return isPrevious
        ? fail(response, 400, `previous terminated ${quoted} not found`)
        : fail(response, 400, `${quoted} is waiting to start: ${reason}`);
    }
    const at = Date.parse(state.startedAt ?? '') || 0;
    const { logsContent, now } = this.#options;
    let text = logOf(pod, container, isPrevious, logsContent);
    response.setHeader('content-type', 'text/plain');
    response.write(selectLog(text, at, selectionOf(query, now())));
    if (query.get('follow') !== 'true' || isPrevious) return void response.end();
    const timestamps = query.get('timestamps') === 'true';
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    while (!response.destroyed) {
      const current = await this.#options.readPod(namespace, name);
      if (current === undefined || !isRunning(current, container)) break;
      const longer = logOf(current, container, false, logsContent);
      // What was appended to the annotation follows.
      if (longer.length > text.length && longer.startsWith(text)) {
        response.write(selectLog(longer.slice(text.length), now(), { ...NO_SELECTION, timestamps }));
        text = longer;
      }
      await Promise.race([closed, this.#pause()]);
    }
    response.end();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(FOLLOW_INTERVAL, resolve));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { action, namespace, name, container, query } = parse(request);
    const pod = await this.#options.readPod(namespace, name);
    if (pod === undefined) return refuse(socket, 404, `pod does not exist`);
    if (action === 'portForward') return answerPorts(request, socket, head, pod);
    if (action !== 'exec' && action !== 'attach') return refuse(socket, 404, 'not found');
    if (!isRunning(pod, container)) return refuse(socket, 500, `container not found ("${container}")`);
    const streams = await acceptCommand(request, socket, head, query);
    if (streams === undefined) return void socket.destroy();
    if (action === 'attach') {
      await streams.stdout(attachAnswer(pod, container, this.#options.logsContent));
      return streams.end(COMMAND_SUCCEEDED);
    }
    const answer = commandAnswer(pod, container);
    if (answer === undefined)
      return streams.end(
        commandRefused('a simulated node runs no commands: sim.binnacle.dev/exec says what they answer'),
      );
    await streams.stdout(answer.stdout);
    await streams.stderr(answer.stderr);
    const { exitCode } = answer;
    return streams.end(exitCode === 0 ? COMMAND_SUCCEEDED : exitStatus(exitCode, `exit status ${exitCode}`));
  }
}

const NO_SELECTION = { timestamps: false, since: undefined, tailLines: undefined, limitBytes: undefined };

function parse({ url = '/' }: IncomingMessage) {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const [action = '', namespace = '', name = '', container = ''] = path
    .split('/')
    .slice(1)
    .map(decodeURIComponent);
  return { action, namespace, name, container, query: new URLSearchParams(at < 0 ? '' : url.slice(at)) };
}

function selectionOf(query: URLSearchParams, now: number) {
  const number = (name: string): number | undefined =>
    query.has(name) ? Number(query.get(name)) : undefined;
  const seconds = number('sinceSeconds');
  const time = query.has('sinceTime') ? Date.parse(query.get('sinceTime')!) : undefined;
  return {
    timestamps: query.get('timestamps') === 'true',
    since: seconds === undefined ? time : now - seconds * 1000,
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
  };
}

function fail(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
