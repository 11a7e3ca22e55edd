/** Options of pod validation that depend on the server, not on the pod. */
export interface PodValidationOptions {
  /** Whether privileged containers are allowed. */
  readonly allowPrivileged?: boolean;
}

/** Options for a pod specification: `isPod` is false in a template, whose pods are defaulted when created. */
export interface PodSpecValidationOptions extends PodValidationOptions {
  readonly isPod: boolean;
  /** Whether sidecars may have resize policies, because the stored pod has them. */
  readonly allowsSidecarResizePolicy?: boolean;
}
