/** The subject and alternative names that a certificate request contains. */
export interface RequestedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
}
