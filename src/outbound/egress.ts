import { type Dialer, directDialer } from './dialer.ts';

/**
 * Which network a connection goes to: the nodes, pods and Services of the cluster; the other parts of the
 * control plane; etcd.
 */
export type Network = 'cluster' | 'controlplane' | 'etcd';

/**
 * Called when a request has ended. @param code the status, or `<error>` for a request without a response
 * @param host host and port of its URL
 */
export type RequestObserver = (
  request: { readonly method: string; readonly host: string; readonly code: string },
  seconds: number,
  sentBytes: number,
  receivedBytes: number,
) => void;

/** How each network is reached. A network that the configuration does not name is reached directly. */
export type Egress = Readonly<Record<Network, Dialer>> & {
  /** Observes requests whose responses are read into memory, for metrics. */
  readonly observe?: RequestObserver;
};

/** Reaches every network directly. */
export const DIRECT_EGRESS: Egress = {
  cluster: directDialer,
  controlplane: directDialer,
  etcd: directDialer,
};
