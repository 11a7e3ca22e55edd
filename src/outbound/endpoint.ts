/** How a server is reached, and as whom: what a kubeconfig says. */
export interface Endpoint {
  /** `https://host:port/path` or `http://…`; paths of requests are appended to its own. */
  readonly server: string;
  /** PEM of the authorities that the server's certificate is checked with; undefined: those of the system. */
  readonly caBundle?: string;
  /** The name that the server's certificate must be for, where it isn't that of the address. */
  readonly serverName?: string;
  /** The server's certificate is not checked. */
  readonly insecure?: boolean;
  /** PEM of the client certificate and its key; both or none. */
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
  /**
   * Holds the token, and is read for each request, since it is replaced while it is in use; wins over
   * `token`.
   */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}
