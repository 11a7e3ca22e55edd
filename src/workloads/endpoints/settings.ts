/** Flags of kube-controller-manager for the Endpoints of Services. */
export interface EndpointsSettings {
  /** Services at the same time. */
  readonly workers: number;
  /** Milliseconds of the cluster by which a change of a Pod waits for others. */
  readonly batchPeriod: number;
}
