/** What the checks of a pod specification depend on beyond the specification itself. */
export interface PodRules {
  /** Privileged containers may be created. */
  readonly allowPrivileged?: boolean;
}

/** Adds the member for a pod as such; a template's pods are defaulted once more when they are made. */
export interface SpecRules extends PodRules {
  readonly isPod: boolean;
}
