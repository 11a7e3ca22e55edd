/** Kinds of the group certificates.k8s.io. */
export const CERTIFICATES: Readonly<Record<string, string>> = {
  ClusterTrustBundle: 'Trust anchors (root certificates) for the cluster.',
  CertificateSigningRequest: 'Request for a signed certificate.',
  CertificateSigningRequestSpec: 'Specification of a certificate signing request.',
  'CertificateSigningRequestSpec.request': 'PKCS #10 request in PEM.',
  'CertificateSigningRequestSpec.signerName': 'Name of the signer.',
  'CertificateSigningRequestSpec.usages': 'Requested key usages.',
  'CertificateSigningRequestSpec.expirationSeconds': 'Requested duration of validity in seconds.',
};
