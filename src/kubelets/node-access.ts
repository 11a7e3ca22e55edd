import { parseAddressSloppy } from '../addresses/address.ts';
import { isGlobalUnicast } from '../addresses/special.ts';
import type { Node, Pod } from '../model/generated/core-v1.ts';
import { encodePairs, escapePath } from '../proxy/escape-url.ts';
import type { RequestContext } from '../request/context.ts';
import { errors } from '../status/index.ts';
import type { KubeletConnections } from './connections.ts';
import { passLog } from './log.ts';
import { proxyToServer } from './object-proxy.ts';
import { connectStream, type StreamObserver } from './stream.ts';

/** The options of a log request; those that are absent are undefined. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** The certificate of the kubelet is not verified. */
  readonly insecureSkipTlsVerify: boolean;
  readonly sinceSeconds: number | undefined;
  /** RFC 3339. */
  readonly sinceTime: string | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** A pod, or one of its containers. */
export interface PodName {
  readonly namespace: string;
  readonly pod: string;
}
export interface ContainerName extends PodName {
  readonly container: string;
}

/** The options of exec, attach and portforward, as admission sees them. */
export type ConnectOptions = Readonly<Record<string, unknown>>;

/** A server that a proxied request names. */
export interface ProxyAddress {
  /** Empty: http. */
  readonly scheme: string;
  readonly host: string;
  /** Empty: that of the scheme. */
  readonly port: string;
}

export interface NodeAccessObserver extends StreamObserver {
  logRequested(isVerified: boolean): void;
  logUnverified(): void;
}

export interface NodeAccessOptions {
  readonly connections: KubeletConnections;
  readonly observer: NodeAccessObserver;
  /** Resolves a host name into its addresses. */
  lookup(host: string): Promise<readonly string[]>;
}

const STREAMS = ['stdin', 'stdout', 'stderr', 'tty'];
/** Names of the streams in the query of a kubelet. */
const STREAM_PARAMETERS: Readonly<Record<string, string>> = {
  stdin: 'input',
  stdout: 'output',
  stderr: 'error',
  tty: 'tty',
};
const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80, '': 80 };

/** Passes requests on to kubelets, and to what listens at the addresses of pods. */
export class NodeAccess {
  readonly #options: NodeAccessOptions;

  constructor(options: NodeAccessOptions) {
    this.#options = options;
  }

  /** Passes the log of a container on. @throws ApiError */
  log(
    context: RequestContext,
    node: Node,
    { namespace, pod, container }: ContainerName,
    options: LogOptions,
  ): Promise<void> {
    const { connections, observer } = this.#options;
    const isVerified = !options.insecureSkipTlsVerify;
    observer.logRequested(isVerified);
    const pairs: [string, string][] = [];
    for (const name of ['follow', 'previous', 'timestamps'] as const)
      if (options[name]) pairs.push([name, 'true']);
    for (const name of ['limitBytes', 'sinceSeconds', 'sinceTime', 'tailLines'] as const)
      if (options[name] !== undefined) pairs.push([name, String(options[name])]);
    const path = pathOf('containerLogs', namespace, pod, container);
    const { backend } = connections.kubeletOf(node, isVerified);
    return passLog(context, backend, withQuery(path, pairs), () => observer.logUnverified());
  }

  /** Connects a client with a command that runs in a container. @param action `exec` or `attach` @throws ApiError */
  command(
    context: RequestContext,
    node: Node,
    action: string,
    { namespace, pod, container }: ContainerName,
    options: ConnectOptions,
  ): Promise<void> {
    const { connections, observer } = this.#options;
    const { command = [] } = options as { readonly command?: readonly string[] };
    const { backend } = connections.kubeletOf(node);
    return connectStream(context, {
      backend,
      path: withQuery(pathOf(action, namespace, pod, container), [
        ...STREAMS.filter((name) => options[name] === true).map((name): [string, string] => [
          STREAM_PARAMETERS[name]!,
          '1',
        ]),
        ...command.map((word): [string, string] => ['command', word]),
      ]),
      command: {
        stdin: options['stdin'] === true,
        stdout: options['stdout'] === true,
        stderr: options['stderr'] === true,
        tty: options['tty'] === true,
      },
      observer,
    });
  }

  /** Connects a client with ports of a pod. @throws ApiError */
  portForward(
    context: RequestContext,
    node: Node,
    { namespace, pod }: PodName,
    options: ConnectOptions,
  ): Promise<void> {
    const { connections, observer } = this.#options;
    const { ports = [] } = options as { readonly ports?: readonly number[] };
    const { backend } = connections.kubeletOf(node);
    const pairs: [string, string][] = ports.length === 0 ? [] : [['port', ports.join(',')]];
    return connectStream(context, {
      backend,
      path: withQuery(pathOf('portForward', namespace, pod), pairs),
      command: undefined,
      observer,
    });
  }

  /** Passes a request on to the kubelet of a node, or to another port of the node. @throws ApiError */
  async proxyNode(
    context: RequestContext,
    node: Node,
    { scheme, port }: Pick<ProxyAddress, 'scheme' | 'port'>,
    path: string,
  ): Promise<void> {
    const { connections } = this.#options;
    const kubelet = connections.kubeletOf(node);
    if (!kubelet.isSimulated) await this.#checkHost(kubelet.host);
    const isKubelet = kubelet.isSimulated || port === '' || port === String(kubelet.port);
    const backend = isKubelet
      ? kubelet.backend
      : connections.serverAt(scheme, kubelet.host, portNumber(port, scheme));
    return proxyToServer(context, backend, path);
  }

  /** Passes a request on to the address of a pod. @throws ApiError */
  proxyPod(
    context: RequestContext,
    pod: Pod,
    { scheme, host, port }: ProxyAddress,
    path: string,
  ): Promise<void> {
    const { connections } = this.#options;
    const number = portNumber(port, scheme);
    const backend = connections.simulatedPod(pod, number) ?? connections.serverAt(scheme, host, number);
    return proxyToServer(context, backend, path);
  }

  /** Nodes may name any host: those of this machine and of its link are not for clients. @throws ApiError 400 */
  async #checkHost(host: string): Promise<void> {
    let addresses: readonly string[];
    try {
      addresses = await this.#options.lookup(host);
    } catch (error) {
      throw errors.badRequest((error as Error).message);
    }
    if (addresses.length === 0) throw errors.badRequest('no addresses for hostname');
    const areAllowed = addresses.every((text) => {
      const address = parseAddressSloppy(text);
      return address !== undefined && isGlobalUnicast(address);
    });
    if (!areAllowed) throw errors.badRequest('address not allowed');
  }
}

/** @throws ApiError 503 for a port that is none */
function portNumber(port: string, scheme: string): number {
  if (port === '') return DEFAULT_PORTS[scheme]!;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number >= 1 && number <= 65_535) return number;
  throw errors.serviceUnavailable(
    `error trying to reach service: dial tcp: lookup tcp/${port}: unknown port`,
  );
}

const pathOf = (...segments: readonly string[]): string => `/${segments.map(escapePath).join('/')}`;

const withQuery = (path: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.length === 0 ? path : `${path}?${encodePairs(pairs)}`;
