import { type Dialer, directDialer } from './dialer.ts';

/**
 * Which network a connection goes to: the nodes, pods and Services of the cluster; the other parts of the
 * control plane; etcd.
 */
export type Network = 'cluster' | 'controlplane' | 'etcd';

/** How each network is reached. A network that the configuration does not name is reached directly. */
export type Egress = Readonly<Record<Network, Dialer>>;

/** Reaches every network directly. */
export const DIRECT_EGRESS: Egress = {
  cluster: directDialer,
  controlplane: directDialer,
  etcd: directDialer,
};
