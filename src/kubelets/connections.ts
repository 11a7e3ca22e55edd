import type { Node, Pod } from '../model/generated/core-v1.ts';
import { AddressTargets, type Backend } from '../outbound/address-targets.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { errors } from '../status/index.ts';
import type { KubeletSettings } from './settings.ts';

/** A kubelet, and how it is reached. */
export interface Kubelet {
  /** A host name or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly backend: Backend;
  /** It is in this process: its host is no address. */
  readonly isSimulated: boolean;
}

/** Nodes whose kubelets are in this process. */
export interface SimulatedNodes {
  /** Whether the kubelet of a node is one of them. */
  has(node: Node): boolean;
  /** Connections to them, by the name of the node. */
  readonly kubelets: AddressTargets;
  /** A server at a port of a Pod; undefined for a Pod of another node. */
  podAt(pod: Pod, port: number): Backend | undefined;
}

/** The connections to kubelets, and to what listens at the addresses of pods. */
export class KubeletConnections {
  readonly #settings: KubeletSettings;
  readonly #simulated: SimulatedNodes | undefined;
  readonly #verified: AddressTargets;
  readonly #unverified: AddressTargets;
  readonly #https: AddressTargets;
  readonly #http: AddressTargets;

  /** @param client for these connections only: streams hold their places */
  constructor(client: OutboundClient, settings: KubeletSettings, simulated?: SimulatedNodes) {
    this.#simulated = simulated;
    const { caBundle, certificate, key, connectTimeout } = settings;
    const identity = certificate === undefined ? {} : { certificate, key };
    this.#settings = settings;
    const insecure = { insecure: true, ...identity };
    this.#unverified = new AddressTargets(client, insecure, connectTimeout);
    this.#verified =
      caBundle === undefined
        ? this.#unverified
        : new AddressTargets(client, { caBundle, ...identity }, connectTimeout);
    this.#https = new AddressTargets(client, { insecure: true });
    this.#http = new AddressTargets(client, undefined);
  }

  /**
   * The kubelet of a node, at the preferred address and the port that the node's status has.
   * @param isVerified whether its certificate is verified, where a bundle for that is given
   * @throws ApiError 500 for a node without a preferred address
   */
  kubeletOf(node: Node, isVerified = true): Kubelet {
    const { metadata, status = {} } = node;
    if (this.#simulated?.has(node)) {
      const address = { host: metadata?.name ?? '', port: this.#settings.port };
      return { ...address, backend: this.#simulated.kubelets.at(address), isSimulated: true };
    }
    const { addresses = [], daemonEndpoints } = status;
    const host = this.#settings.addressTypes
      .map((wanted) => addresses.find(({ type }) => type === wanted)?.address)
      .find((address) => address !== undefined);
    if (host === undefined) {
      const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
      throw errors.failed(`no preferred addresses found; known addresses: [${known}]`);
    }
    const reported = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
    const port = reported > 0 ? reported : this.#settings.port;
    const targets = isVerified ? this.#verified : this.#unverified;
    return { host, port, backend: targets.at({ host, port }), isSimulated: false };
  }

  /** What listens at a port of a Pod of a simulated node; undefined for other Pods. */
  simulatedPod(pod: Pod, port: number): Backend | undefined {
    return this.#simulated?.podAt(pod, port);
  }

  /** A server in the network of the cluster, whose certificate is not verified. @param scheme empty: http */
  serverAt(scheme: string, host: string, port: number): Backend {
    return (scheme === 'https' ? this.#https : this.#http).at({ host, port });
  }
}
