import { signToken } from './jwt.ts';
import type { SigningKey, VerificationKey } from './keys.ts';

/** Issuer of tokens that stand in secrets. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';

/** An object by name and uid; an unknown uid is left out. */
export interface BoundObject {
  readonly name: string;
  readonly uid?: string;
}

export interface TokenSubject {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
}

export interface TokenOptions {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Seconds after which the use of the token is noted although it is still good. */
  readonly warnAfterSeconds?: number;
}

export interface TokenIssuer {
  readonly issuer: string;
  /** A signed token, good from now on. */
  issue(subject: TokenSubject, options: TokenOptions): Promise<string>;
}

/** @param now wall clock, milliseconds. @param newId makes a unique id for each token */
export function createTokenIssuer(
  issuer: string,
  key: SigningKey,
  now: () => number,
  newId: () => string,
): TokenIssuer {
  return {
    issuer,
    issue({ namespace, account, pod, secret, node }, { audiences, expirationSeconds, warnAfterSeconds }) {
      const issuedAt = Math.floor(now() / 1000);
      const claims = {
        aud: audiences,
        exp: issuedAt + expirationSeconds,
        iat: issuedAt,
        iss: issuer,
        jti: newId(),
        'kubernetes.io': {
          namespace,
          ...(node === undefined ? {} : { node }),
          ...(pod === undefined ? {} : { pod }),
          ...(secret === undefined ? {} : { secret }),
          serviceaccount: account,
          ...(warnAfterSeconds === undefined ? {} : { warnafter: issuedAt + warnAfterSeconds }),
        },
        nbf: issuedAt,
        sub: `system:serviceaccount:${namespace}:${account.name}`,
      };
      return signToken(claims, key);
    },
  };
}

/**
 * A token without an end, in the form of before tokens were bound; good as long as its secret and account are
 * there.
 */
export function issueLegacyToken(
  namespace: string,
  account: Required<BoundObject>,
  secret: string,
  key: SigningKey,
): Promise<string> {
  const claims = {
    iss: LEGACY_ISSUER,
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret,
    'kubernetes.io/serviceaccount/service-account.name': account.name,
    'kubernetes.io/serviceaccount/service-account.uid': account.uid,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
  return signToken(claims, key);
}

export interface IssuerDocuments {
  /** `/.well-known/openid-configuration` */
  readonly configuration: object;
  /** `/openid/v1/jwks` */
  readonly keySet: object;
}

/** What others need to check tokens of this server by themselves. */
export function issuerDocuments(
  issuer: string,
  keySetUrl: string,
  keys: readonly VerificationKey[],
): IssuerDocuments {
  return {
    configuration: {
      issuer,
      jwks_uri: keySetUrl,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    },
    keySet: {
      keys: keys.map(({ id, algorithm, publicKey }) => {
        const { kty, crv, n, e, x, y } = publicKey.export({ format: 'jwk' });
        return {
          use: 'sig',
          kty,
          kid: id,
          ...(crv === undefined ? {} : { crv }),
          alg: algorithm,
          ...(kty === 'RSA' ? { n, e } : { x, y }),
        };
      }),
    },
  };
}
