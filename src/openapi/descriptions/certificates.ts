/** Kinds of the group certificates.k8s.io. */
export const CERTIFICATES: Readonly<Record<string, string>> = {
  ClusterTrustBundle: 'Trust anchors (root certificates) for the cluster.',
  CertificateSigningRequest: 'Request for a signed certificate.',
  CertificateSigningRequestSpec: 'Specification of a certificate signing request.',
  'CertificateSigningRequestSpec.request': 'PKCS #10 request in PEM.',
  'CertificateSigningRequestSpec.signerName': 'Name of the signer.',
  'CertificateSigningRequestSpec.usages': 'Requested key usages.',
  'CertificateSigningRequestSpec.expirationSeconds': 'Requested duration of validity in seconds.',
  'CertificateSigningRequestSpec.username': 'User who made the request. Set by the server.',
  'CertificateSigningRequestSpec.uid': 'UID of the user who made the request. Set by the server.',
  'CertificateSigningRequestSpec.groups': 'Groups of the user who made the request. Set by the server.',
  'CertificateSigningRequestSpec.extra':
    'Further attributes of the user who made the request. Set by the server.',
  ClusterTrustBundleSpec: 'CA certificates.',
  'ClusterTrustBundleSpec.signerName':
    'Signer of the bundle; the name of the object begins with it. Absent for a bundle without a signer. Cannot be changed.',
  'ClusterTrustBundleSpec.trustBundle':
    'CA certificates in PEM, without duplicates, other blocks or headers. Their order has no meaning.',
  CertificateSigningRequestStatus: 'Decision about a request, and the certificate.',
  'CertificateSigningRequestStatus.certificate':
    'Certificate chain in PEM, written by the signer after the approval. Cannot be changed once set.',
  'CertificateSigningRequestStatus.conditions':
    'Approved, Denied and Failed tell what became of the request.',
  CertificateSigningRequestCondition: 'Decision about a request.',
  'CertificateSigningRequestCondition.type':
    'Approved, Denied or Failed. Approved and Denied exclude each other; none can be removed.',
};
