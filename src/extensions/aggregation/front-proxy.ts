/** The certificate with which this server identifies itself to extension servers. */
export interface FrontProxy {
  /** PEM; both or neither. */
  clientCertificate(): { readonly certificate?: string; readonly key?: string };
}
