import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../../../src/authentication/bearer.ts';
import {
  createTokenIssuer,
  issuerDocuments,
  readSigningKey,
  readVerificationKeys,
  requestToken,
  serviceAccountAuthenticator,
  type TokenObjectLister,
} from '../../../src/authentication/service-account/index.ts';
import { decodeToken, signToken } from '../../../src/authentication/service-account/jwt.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { RULES } from '../../support/rule-context.ts';

const ISSUER = 'https://issuer.test';
const pems = {
  rsa: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }),
  ec: generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }),
  p384: generateKeyPairSync('ec', {
    namedCurve: 'P-384',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }),
};
const named = (name: string, uid: string, more: object = {}): KubernetesObject => ({
  metadata: { name, namespace: 'n', uid },
  ...more,
});

let objects: Record<string, KubernetesObject | undefined>;
let time: number;
const reader: TokenObjectLister = {
  serviceAccount: (_n, name) => objects[`account/${name}`],
  pod: (_n, name) => objects[`pod/${name}`],
  secret: (_n, name) => objects[`secret/${name}`],
  node: async (name) => objects[`node/${name}`],
};
const signing = readSigningKey(pems.rsa.privateKey, 'f');
const keys = [
  ...readVerificationKeys(pems.ec.publicKey, 'f'),
  ...readVerificationKeys(pems.rsa.publicKey, 'f'),
];
const issuer = createTokenIssuer(
  ISSUER,
  signing,
  () => time,
  () => 'token-id',
);
const authenticator = serviceAccountAuthenticator({
  issuers: [ISSUER],
  keys: () => keys,
  audiences: [ISSUER],
  lookup: true,
  reader,
  now: () => time,
  noteUse: ({ name, uid }, date) => void uses.push(`${name} ${uid} ${date}`),
});
const uses: string[] = [];
const bearer = createBearerAuthenticator({
  authenticators: [authenticator],
  audiences: [ISSUER],
  now: () => 0,
});
const who = (token: string, audiences: readonly string[] = [ISSUER]) => bearer.review(token, audiences);
const options = { issuer, audiences: [ISSUER], maximumSeconds: 0, extend: true, reader, now: () => time };
const warnings: string[] = [];
const request = (spec: object, metadata = {}, changes = {}) =>
  requestToken(
    objects['account/robot']!,
    { metadata, spec },
    { ...options, ...changes },
    { ...RULES, warn: (text) => void warnings.push(text), annotate: () => undefined },
  );
const tokenOf = async (spec: object): Promise<string> =>
  ((await request(spec)).status as { token: string }).token;
const partsOf = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

it.each([
  [false, undefined],
  [true, 'robot-uid'],
] as const)(
  'a request in a release that names accounts by UID (%s) is validated with it',
  async (has, uid) => {
    const body = { metadata: {}, spec: {} };
    let seen: unknown = 'not validated';
    const validate = async () => {
      seen = (body.metadata as { uid?: string }).uid;
    };
    await requestToken(objects['account/robot']!, body, options, {
      ...RULES,
      has: () => has,
      warn: () => undefined,
      annotate: () => undefined,
      validate,
    });
    expect(seen).toBe(uid);
  },
);

beforeEach(() => {
  time = Date.parse('2026-01-01T00:00:00Z');
  warnings.length = 0;
  objects = {
    'account/robot': named('robot', 'robot-uid'),
    'pod/p': named('p', 'pod-uid', { spec: { serviceAccountName: 'robot', nodeName: 'x' } }),
    'node/x': named('x', 'node-uid'),
    'secret/s': named('s', 'secret-uid'),
  };
});

describe('token requests', () => {
  it('default the request and sign the claims', async () => {
    const answer = await request({});
    expect(answer).toMatchObject({
      metadata: { name: 'robot', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { audiences: [ISSUER], expirationSeconds: 3600 },
      status: { expirationTimestamp: '2026-01-01T01:00:00Z' },
    });
    const seconds = time / 1000;
    expect(partsOf((answer.status as { token: string }).token)).toEqual([
      { alg: 'RS256', kid: signing.id },
      {
        aud: [ISSUER],
        exp: seconds + 3600,
        iat: seconds,
        iss: ISSUER,
        jti: 'token-id',
        nbf: seconds,
        sub: 'system:serviceaccount:n:robot',
        'kubernetes.io': { namespace: 'n', serviceaccount: { name: 'robot', uid: 'robot-uid' } },
      },
    ]);
  });

  it.each<[object, object, object]>([
    [
      { expirationSeconds: 599 },
      {},
      {
        code: 422,
        message:
          'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      },
    ],
    [
      { expirationSeconds: 4294967297 },
      {},
      {
        code: 422,
        message:
          'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      },
    ],
    [
      {},
      { name: 'other' },
      {
        code: 422,
        message:
          'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
      },
    ],
    [
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } },
      {},
      { code: 404, message: 'pods "none" not found' },
    ],
    [
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
      {},
      { code: 400, message: 'cannot bind token to object of type /v1, Kind=ConfigMap' },
    ],
    [{ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'old' } }, {}, { code: 409 }],
  ])('rejects %j %j', async (spec, metadata, error) => {
    await expect(request(spec, metadata)).rejects.toMatchObject(error);
  });

  it('cap long expirations with a warning and extend those of mounted volumes', async () => {
    expect((await request({ expirationSeconds: 7200 }, {}, { maximumSeconds: 3600 })).spec).toMatchObject({
      expirationSeconds: 3600,
    });
    expect(warnings).toEqual(['requested expiration of 7200 seconds shortened to 3600 seconds']);
    const claims = partsOf(
      await tokenOf({
        expirationSeconds: 3607,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' },
      }),
    )[1];
    expect(claims.exp - claims.iat).toBe(365 * 24 * 3600);
    expect(claims['kubernetes.io']).toMatchObject({
      warnafter: claims.iat + 3607,
      pod: { name: 'p', uid: 'pod-uid' },
      node: { name: 'x', uid: 'node-uid' },
    });
  });
});

describe('service account tokens', () => {
  it('are observed as valid or stale', async () => {
    const seen: string[] = [];
    const observed = serviceAccountAuthenticator({
      issuers: [ISSUER],
      keys: () => keys,
      audiences: [ISSUER],
      lookup: true,
      reader,
      now: () => time,
      observe: (kind) => void seen.push(kind),
    });
    const token = await tokenOf({
      expirationSeconds: 3607,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' },
    });
    expect((await observed.authenticateToken(token))?.annotations).toBeUndefined();
    time += 3608_000;
    const stale = await observed.authenticateToken(token);
    expect(seen).toEqual(['valid', 'stale']);
    expect(stale?.annotations).toEqual([
      [
        'authentication.k8s.io/stale-token',
        'subject: system:serviceaccount:n:robot, seconds after warning threshold: 1',
      ],
    ]);
  });

  it('map to the account, the token id and the bound objects', async () => {
    const { user, audiences } = await who(
      await tokenOf({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } }),
    );
    expect(user).toMatchObject({
      name: 'system:serviceaccount:n:robot',
      uid: 'robot-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
    });
    expect(Object.fromEntries(user.extra)).toEqual({
      'authentication.kubernetes.io/credential-id': ['JTI=token-id'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['pod-uid'],
      'authentication.kubernetes.io/node-name': ['x'],
      'authentication.kubernetes.io/node-uid': ['node-uid'],
    });
    expect(audiences).toEqual([ISSUER]);
  });

  it.each<[string, object, () => void, string]>([
    [
      'expired',
      {},
      () => {
        time += 3661_000;
      },
      'service account token has expired',
    ],
    [
      'early',
      {},
      () => {
        time -= 61_000;
      },
      'service account token is not valid yet',
    ],
    [
      'for others',
      { audiences: ['a', 'b'] },
      () => undefined,
      'token audiences ["a" "b"] is invalid for the target audiences ["https://issuer.test"]',
    ],
    [
      'of a deleted account',
      {},
      () => {
        objects['account/robot'] = undefined;
      },
      'serviceaccounts "robot" not found',
    ],
    [
      'of a recreated account',
      {},
      () => {
        objects['account/robot'] = named('robot', 'new');
      },
      'service account UID (new) does not match claim (robot-uid)',
    ],
    [
      'of a deleted pod',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } },
      () => {
        objects['pod/p'] = undefined;
      },
      'service account token has been invalidated',
    ],
    [
      'of a deleted secret',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } },
      () => {
        objects['secret/s'] = undefined;
      },
      'service account token has been invalidated',
    ],
    [
      'of a deleted node',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'x' } },
      () => {
        objects['node/x'] = undefined;
      },
      'service account token has been invalidated',
    ],
  ])('are rejected when %s', async (_title, spec, change, message) => {
    const token = await tokenOf(spec);
    if (!('audiences' in spec)) expect((await who(token)).user.uid).toBe('robot-uid');
    change();
    await expect(who(token)).rejects.toThrow(message);
  });

  it.each<[object]>([
    [{ exp: 'never' }],
    [{ exp: 1e300 }],
    [{ exp: true }],
    [{ nbf: '0' }],
    [{ iat: -1e300 }],
    [{ sub: 1 }],
    [{ jti: {} }],
    [{ aud: null }],
    [{ aud: [1] }],
    [{ 'kubernetes.io': 'x' }],
    [
      {
        'kubernetes.io': { namespace: 'n', serviceaccount: { name: 'robot', uid: 'robot-uid' }, secret: 's' },
      },
    ],
    [
      {
        'kubernetes.io': {
          namespace: 'n',
          serviceaccount: { name: 'robot', uid: 'robot-uid' },
          pod: { name: ['p'] },
        },
      },
    ],
    [
      {
        'kubernetes.io': {
          namespace: 'n',
          serviceaccount: { name: 'robot', uid: 'robot-uid' },
          warnafter: 'x',
        },
      },
    ],
  ])('are rejected with a claim of a wrong type: %j', async (wrong) => {
    const claims = partsOf(await tokenOf({}))[1];
    expect((await who(await signToken(claims, signing))).user.uid).toBe('robot-uid');
    await expect(who(await signToken({ ...claims, ...wrong }, signing))).rejects.toThrow(
      /has an invalid \S+ claim\]$/,
    );
  });

  it.each<[object, boolean]>([
    [{}, true],
    [{ crit: [] }, true],
    [{ crit: ['b64'], b64: true }, true],
    [{ crit: ['b64'], b64: false }, false],
    [{ b64: false }, false],
    [{ crit: ['exp'] }, false],
    [{ crit: 'b64' }, false],
    [{ crit: null }, false],
  ])('are decoded with the header %j: %s', async (extra, isRead) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(decodeToken(`${part({ alg: 'ES256', ...extra })}.${part({})}.AA`) !== undefined).toBe(isRead);
  });

  it('are rejected when forged', async () => {
    const token = await tokenOf({});
    const [head, body, signature] = token.split('.') as [string, string, string];
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      `${head}.${part({ ...partsOf(token)[1], sub: 'x' })}.${signature}`,
      `${head}.${body}.`,
      `${part({ alg: 'none' })}.${body}.`,
      `${part({ alg: 'HS256', kid: signing.id })}.${body}.${signature}`,
      `${part({ alg: 'ES256', kid: signing.id })}.${body}.${signature}`,
    ];
    for (const one of forged)
      await expect(who(one)).rejects.toThrow(
        /^\[invalid bearer token, square\/go-jose: error in cryptographic primitive\]$/,
      );
    const unknown = [
      `${part({ alg: 'ES256', kid: 'x' })}.${body}.${signature}`,
      await signToken(partsOf(token)[1], readSigningKey(pems.p384.privateKey, 'f')),
    ];
    for (const one of unknown)
      await expect(who(one)).rejects.toThrow(/^\[invalid bearer token, invalid signature, no keys found\]$/);
    for (const one of [`${head}.${body}`, `${head}.bnVsbA.${signature}`])
      await expect(who(one)).rejects.toThrow(/^invalid bearer token$/);
  });

  it('of a secret are valid while the secret contains them', async () => {
    const prefix = 'kubernetes.io/serviceaccount/';
    const claims = {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:n:robot',
      [`${prefix}namespace`]: 'n',
      [`${prefix}secret.name`]: 's',
      [`${prefix}service-account.name`]: 'robot',
      [`${prefix}service-account.uid`]: 'robot-uid',
    };
    const token = await signToken(claims, readSigningKey(pems.ec.privateKey, 'f'));
    await expect(who(token)).rejects.toThrow("Token does not match server's copy");
    objects['secret/s'] = named('s', 'secret-uid', {
      data: { token: Buffer.from(token).toString('base64') },
    });
    expect((await who(token)).user.name).toBe('system:serviceaccount:n:robot');
    const legacy = ['authentication.k8s.io/legacy-token', 'system:serviceaccount:n:robot'];
    expect(await authenticator.authenticateToken(token)).toMatchObject({
      annotations: [legacy, ['authentication.k8s.io/legacy-token-manual-secret', 's']],
      warnings: [],
    });
    const day = (offset: number) => new Date(time + offset * 86_400_000).toISOString().slice(0, 10);
    expect(uses.splice(0)).toEqual(Array(2).fill(`s secret-uid ${day(0)}`));
    for (const offset of [0, 1, -1]) {
      const labelled: KubernetesObject = { ...objects['secret/s'] };
      const labels = { 'kubernetes.io/legacy-token-last-used': day(offset) };
      labelled.metadata = { ...labelled.metadata, labels };
      objects['secret/s'] = labelled;
      await who(token);
    }
    expect(uses.splice(0)).toEqual([`s secret-uid ${day(0)}`]);
    objects['account/robot'] = { ...objects['account/robot'], secrets: [{ name: 's' }] };
    expect(await authenticator.authenticateToken(token)).toMatchObject({
      annotations: [legacy, ['authentication.k8s.io/legacy-token-autogenerated-secret', 's']],
      warnings: [expect.stringContaining('Use tokens from the TokenRequest API')],
    });
    const secret = objects['secret/s']!;
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2030-01-01' };
    objects['secret/s'] = { ...secret, metadata: { ...secret.metadata, labels } };
    await expect(who(token)).rejects.toThrow('has been marked invalid');
  });
});

describe('keys', () => {
  it('are parsed in every format and published', () => {
    const several = readVerificationKeys(
      `${pems.rsa.privateKey}\n${pems.ec.publicKey}${pems.p384.privateKey}`,
      'f',
    );
    expect(several.map(({ algorithm }) => algorithm)).toEqual(['RS256', 'ES256', 'ES384']);
    const { configuration, keySet } = issuerDocuments(ISSUER, `${ISSUER}/openid/v1/jwks`, several);
    expect(configuration).toMatchObject({
      issuer: ISSUER,
      id_token_signing_alg_values_supported: ['ES256', 'ES384', 'RS256'],
    });
    expect((keySet as { keys: object[] }).keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ]);
    expect(several[0]!.id).toMatch(/^[\w-]{43}$/);
  });

  it('are required', () => {
    expect(() => readVerificationKeys('nothing', '/k')).toThrow('/k');
    expect(() => readSigningKey(pems.rsa.publicKey, '/k')).toThrow('/k');
  });
});
