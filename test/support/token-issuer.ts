import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';

export type IssuerAlgorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512';
const CURVES: Partial<Record<IssuerAlgorithm, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

export interface IssuerKey {
  readonly id: string;
  readonly algorithm: IssuerAlgorithm;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A signing key of an issuer, for one algorithm. */
export function issuerKey(id: string, algorithm: IssuerAlgorithm): IssuerKey {
  const namedCurve = CURVES[algorithm];
  const pair =
    namedCurve === undefined
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve });
  return { id, algorithm, ...pair };
}

/** The JSON Web Key of the public key. */
export const jsonWebKey = ({ id, publicKey, algorithm }: IssuerKey) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: id,
  use: 'sig',
  alg: algorithm,
});

/** Creates a token with these claims; `header` overrides header members. */
export function signedToken(
  claims: object,
  { id, algorithm, privateKey }: IssuerKey,
  header: object = {},
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedPart = `${part({ alg: algorithm, kid: id, ...header })}.${part(claims)}`;
  const padding = algorithm.startsWith('PS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  const signature = sign(`sha${algorithm.slice(2)}`, Buffer.from(signedPart), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...padding,
  });
  return `${signedPart}.${signature.toString('base64url')}`;
}

/** A small OpenID Connect issuer: discovery and keys over HTTPS, tokens by method call. */
export class TokenIssuer {
  /** Published documents; changed by tests. */
  keys: IssuerKey[];
  /** Requested paths. */
  readonly requests: string[] = [];
  /** PEM of the CA of its certificate. */
  readonly caBundle: string;
  readonly #server: Server;

  constructor(keys: IssuerKey[] = [issuerKey('one', 'RS256')]) {
    this.keys = keys;
    const validity = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)] as const;
    const authority = createAuthority({ commonName: 'issuer-authority' }, ...validity);
    this.caBundle = authority.certificate;
    const serving = issueCertificate(authority, {
      subject: { commonName: 'issuer' },
      usage: 'server',
      addresses: ['127.0.0.1'],
      validFrom: validity[0],
      validTo: validity[1],
    });
    this.#server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
      this.requests.push(request.url!);
      const document = this.#document(request.url!);
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(document === undefined ? '' : JSON.stringify(document));
    });
  }

  #document(path: string): object | undefined {
    if (path === '/keys') return { keys: this.keys.map(jsonWebKey) };
    const [, name] = /^\/([a-z]+)\/\.well-known\/openid-configuration$/.exec(path) ?? [];
    return name === undefined ? undefined : { issuer: this.url(name), jwks_uri: `${this.#base}/keys` };
  }

  get #base(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The URL of one of its issuers. */
  url(name = 'main'): string {
    return `${this.#base}/${name}`;
  }

  /** @param port fixed port, to keep the URL */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Creates a token for the audience `test`, valid for an hour; `claims` override the defaults. */
  token(claims: object = {}, key = this.keys[0]!, name = 'main'): string {
    const now = Math.floor(Date.now() / 1000);
    return signedToken(
      { iss: this.url(name), aud: 'test', exp: now + 3600, iat: now, sub: 'ann', ...claims },
      key,
    );
  }
}
