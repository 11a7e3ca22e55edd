/** How this server connects to kubelets, as the flags `--kubelet-…` say. */
export interface KubeletSettings {
  /** The port of kubelets whose node does not say it. */
  readonly port: number;
  /** Kinds of node addresses, the preferred one first. */
  readonly addressTypes: readonly string[];
  /** Milliseconds to connect, before TLS. */
  readonly connectTimeout: number;
  /** CA bundle that verifies kubelets, PEM; undefined: they are not verified. */
  readonly caBundle: string | undefined;
  /** Client certificate and its key, PEM; both or neither. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}
