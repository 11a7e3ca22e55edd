export { clientCertificates } from './authenticator.ts';
export { readAuthorities } from './certificate.ts';
