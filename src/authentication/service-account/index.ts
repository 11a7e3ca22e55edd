export { type ServiceAccountOptions, serviceAccountTokens } from './authenticator.ts';
export { createTokenIssuer, type IssuerDocuments, issueLegacyToken, issuerDocuments, type TokenIssuer } from './issuer.ts';
export { readSigningKey, readVerificationKeys, type SigningKey, type VerificationKey } from './keys.ts';
export type { TokenObjectReader } from './readers.ts';
export { requestToken, type TokenRequestOptions } from './token-request.ts';
