export type { NoteTokenUse, TokenObjectLister } from './authenticator.ts';
export { serviceAccountAuthenticator } from './authenticator.ts';
export {
  createTokenIssuer,
  type IssuerDocuments,
  issueLegacyToken,
  issuerDocuments,
  type TokenIssuer,
} from './issuer.ts';
export { readSigningKey, readVerificationKeys, type VerificationKey } from './keys.ts';
export { requestToken, setTokenRequestDefaults, type TokenRequestOptions } from './token-request.ts';
