export { type ClientCertificateOptions, clientCertificates } from './authenticator.ts';
export { type Certificate, readAuthorities } from './certificate.ts';
export { CertificateError, CLIENT_AUTHENTICATION, verifyChain } from './chain.ts';
