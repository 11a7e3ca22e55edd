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
  PodCertificateRequest: 'Request for a certificate with which a pod proves who it is.',
  PodCertificateRequestSpec: 'Pod, key and signer of a certificate. Cannot be changed.',
  'PodCertificateRequestSpec.signerName': 'Name of the signer.',
  'PodCertificateRequestSpec.podName': 'Name of the pod into which the certificate is mounted.',
  'PodCertificateRequestSpec.podUID': 'UID of the pod.',
  'PodCertificateRequestSpec.serviceAccountName': 'Service account of the pod.',
  'PodCertificateRequestSpec.serviceAccountUID': 'UID of the service account.',
  'PodCertificateRequestSpec.nodeName': 'Node of the pod.',
  'PodCertificateRequestSpec.nodeUID': 'UID of the node.',
  'PodCertificateRequestSpec.maxExpirationSeconds':
    'Longest duration of validity in seconds, from an hour to 91 days, or to a day for signers of Kubernetes itself. The signer may choose a shorter one. Default: 86400.',
  'PodCertificateRequestSpec.pkixPublicKey':
    'Public key of the pod in DER: RSA with 3072 or 4096 bits, ECDSA with P-256, P-384 or P-521, or Ed25519.',
  'PodCertificateRequestSpec.proofOfPossession':
    "Signature of the pod's UID with the private key, which proves that the kubelet has it.",
  'PodCertificateRequestSpec.stubPKCS10Request':
    'PKCS #10 request in DER without subject and extensions, signed with the private key: carries the public key and proves that the kubelet has the private one.',
  'PodCertificateRequestSpec.unverifiedUserAnnotations':
    'What the pod says to the signer, which may ignore or refuse it. Keys begin with a domain.',
  PodCertificateRequestStatus: 'Decision about a request, and the certificate.',
  'PodCertificateRequestStatus.conditions':
    'One of Issued, Denied and Failed tells what became of the request.',
  'PodCertificateRequestStatus.certificateChain':
    'Certificate of the pod in PEM, followed by those of intermediate authorities.',
  'PodCertificateRequestStatus.notBefore': 'When the certificate begins to be valid, as it says itself.',
  'PodCertificateRequestStatus.beginRefreshAt':
    'When the kubelet asks for the next certificate: at least 10 minutes after the beginning and before the end.',
  'PodCertificateRequestStatus.notAfter': 'When the certificate expires, as it says itself.',
};
