/** The settings of autoscaling: flags of kube-controller-manager. Times are milliseconds of the cluster. */
export interface AutoscalerSettings {
  /** Autoscalers at the same time. */
  readonly workers: number;
  /** Time between two decisions about one object. */
  readonly syncPeriod: number;
  /** Fewer Pods are wanted only after none of the decisions of this time wanted more. */
  readonly downscaleStabilization: number;
  /** Share of the target by which usage may differ from it without effect. */
  readonly tolerance: number;
  /** Time after the start of a Pod in which it may still be starting. */
  readonly cpuInitializationPeriod: number;
  /** Time after the start of a Pod in which a change of readiness is taken for its first one. */
  readonly initialReadinessDelay: number;
}
