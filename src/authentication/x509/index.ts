export { parseCaBundle } from '../../pki/certificate.ts';
export { clientCertificates } from './authenticator.ts';
