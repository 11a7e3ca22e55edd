export { parseCaBundle } from '../../pki/certificate.ts';
export { clientCertificateAuthenticator } from './authenticator.ts';
