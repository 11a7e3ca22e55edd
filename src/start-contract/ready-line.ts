/**
 * How a program reaches a cluster that has just become ready. `docs/start-contract.md` describes each member; new ones
 * may be added, and readers ignore those that they do not know.
 */
export interface ReadyLine {
  /** Version of this product. */
  readonly binnacle: string;
  /** `https://host:port`, for clients on the same machine. */
  readonly url: string;
  /** Absolute path of the administrator's kubeconfig, credentials inline; absent if none was written. */
  readonly kubeconfig?: string;
  /** PEM of the CA bundle that verifies the serving certificate. */
  readonly ca: string;
  /** Version of Kubernetes without prefix and suffix: `1.32.13`. */
  readonly version: string;
  /** The process that serves it. */
  readonly pid: number;
  /** Bearer token of the administrator; only with `--print-token`. */
  readonly token?: string;
}

/** The line as it is printed and written to files, with its line feed: one JSON object. */
export const readyLineText = (line: ReadyLine): string => `${JSON.stringify(line)}\n`;

/** `v1.32.13+suffix` → `1.32.13`. */
export const plainVersion = (gitVersion: string): string =>
  /^v?(\d+\.\d+\.\d+)/.exec(gitVersion)?.[1] ?? gitVersion;
