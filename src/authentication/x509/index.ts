export { clientCertificates } from './authenticator.ts';
export { type Certificate, readAuthorities } from './certificate.ts';
