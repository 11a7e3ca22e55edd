/** What a certificate request asks for. */
export interface RequestedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
}
