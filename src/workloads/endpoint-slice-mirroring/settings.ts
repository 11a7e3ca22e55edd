/** Flags of kube-controller-manager for the EndpointSlices that mirror Endpoints. */
export interface MirroringSettings {
  /** Endpoints objects at the same time. */
  readonly workers: number;
  /** Milliseconds of the cluster by which a change of slices waits for others. */
  readonly batchPeriod: number;
  /** Most addresses of a subset that are mirrored. */
  readonly maximum: number;
}
