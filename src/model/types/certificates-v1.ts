import type { Declarations } from '../declare.ts';

export default {
  family: 'certificates_v1',
  group: 'certificates.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.api.certificates.v1',
  types: `
CertificateSigningRequest kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 CertificateSigningRequestSpec required
  status 3 CertificateSigningRequestStatus

CertificateSigningRequestCondition
  @json type status reason message lastUpdateTime lastTransitionTime
  type 1 string required go=RequestConditionType
  reason 2 string
  message 3 string
  lastUpdateTime 4 meta_v1.Time
  lastTransitionTime 5 meta_v1.Time
  status 6 string required go=ConditionStatus

CertificateSigningRequestList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CertificateSigningRequest required

CertificateSigningRequestSpec
  @json request signerName expirationSeconds usages username uid groups extra
  request 1 bytes required list@-1.35=atomic
  username 2 string
  uid 3 string
  groups 4 []string list=atomic
  usages 5 []string itemsEnum=any|cert_sign|client_auth|code_signing|content_commitment|crl_sign|data_encipherment|decipher_only|digital_signature|email_protection|encipher_only|ipsec_end_system|ipsec_tunnel|ipsec_user|key_agreement|key_encipherment|microsoft_sgc|netscape_sgc|ocsp_signing|s/mime|server_auth|signing|timestamping list=atomic go=KeyUsage
  extra 6 map:ExtraValue
  signerName 7 string required
  expirationSeconds 8 *int32

CertificateSigningRequestStatus
  conditions 1 []CertificateSigningRequestCondition list=map(type)
  certificate 2 bytes list@-1.35=atomic

ExtraValue form=array items=string unpublished
`,
} satisfies Declarations;
