import { serviceAccountUserName } from '../../request/user.ts';
import type { ClusterClock } from '../../time/clock.ts';
import { signToken } from './jwt.ts';
import type { SigningKey, VerificationKey } from './keys.ts';

/** Issuer of legacy tokens, which are stored in secrets. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';

/** An object reference; an unknown uid is omitted. */
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
  /** Seconds after which the token counts as stale, although still valid. */
  readonly warnAfterSeconds?: number;
}

export interface TokenIssuer {
  readonly issuer: string;
  /** Issues a signed token, valid from now on. */
  issue(subject: TokenSubject, options: TokenOptions): Promise<string>;
}

/** @param now the cluster's time, milliseconds. @param newId generates a unique token id */
export function createTokenIssuer(
  issuer: string,
  key: SigningKey,
  now: ClusterClock['now'],
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
        sub: serviceAccountUserName(namespace, account.name),
      };
      return signToken(claims, key);
    },
  };
}

/**
 * Issues a legacy token: without expiry, valid as long as its secret and account exist.
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
    sub: serviceAccountUserName(namespace, account.name),
  };
  return signToken(claims, key);
}

export interface IssuerDocuments {
  /** `/.well-known/openid-configuration` */
  readonly configuration: object;
  /** `/openid/v1/jwks` */
  readonly keySet: object;
}

/** The discovery documents with which other parties verify tokens of this server. */
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
