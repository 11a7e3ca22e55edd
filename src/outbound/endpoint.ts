/** The address of a server and the credentials for it, as a kubeconfig names them. */
export interface Endpoint {
  /** `https://host:port/path` or `http://…`; request paths are appended to its path. */
  readonly server: string;
  /** CA bundle that verifies the server's certificate, PEM; undefined: the system's CAs. */
  readonly caBundle?: string;
  /** Name to verify in the server's certificate instead of the host name. */
  readonly serverName?: string;
  /** Skips verification of the server's certificate. */
  readonly insecure?: boolean;
  /** Client certificate and its key, PEM; both or neither. */
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
  /**
   * File with the token, read again for each request because tokens rotate; takes precedence over `token`.
   */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}
