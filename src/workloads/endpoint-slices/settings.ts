/** Flags of kube-controller-manager for the EndpointSlices of Services. */
export interface EndpointSlicesSettings {
  /** Services at the same time. */
  readonly workers: number;
  /** Milliseconds of the cluster by which a change of a Pod waits for others. */
  readonly batchPeriod: number;
  /** Most endpoints of a slice. */
  readonly maximum: number;
}
