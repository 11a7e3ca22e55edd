import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openIdAuthenticator } from '../../../src/authentication/openid/authenticator.ts';
import { authenticatorFromFlags, compileConfiguration } from '../../../src/authentication/openid/index.ts';
import { createKeySet } from '../../../src/authentication/openid/key-set.ts';
import type {
  ClaimMappings,
  JWTAuthenticator,
} from '../../../src/model/generated/apiserverconfig-v1beta1.ts';
import { AuthenticationError } from '../../../src/request/authenticator.ts';
import {
  type IssuerAlgorithm,
  type IssuerKey,
  issuerKey,
  jsonWebKey,
  signedToken,
} from '../../support/token-issuer.ts';

const URL = 'https://issuer.test';
const NOW = 1_700_000_000;
const key = issuerKey('one', 'ES256');
const ALL = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

interface Setup {
  readonly authenticator?: JWTAuthenticator;
  readonly algorithms?: readonly string[];
  readonly keys?: readonly IssuerKey[];
}

function make({ authenticator = {}, algorithms = ALL, keys = [key] }: Setup = {}) {
  const jwt = {
    issuer: { url: URL, audiences: ['test'] },
    claimMappings: { username: { claim: 'sub', prefix: '' } },
    ...authenticator,
  };
  const { issuers, errors } = compileConfiguration({ jwt: [jwt] }, algorithms, []);
  expect(errors).toEqual([]);
  const keySet = createKeySet({ fetch: async () => ({ keys: keys.map(jsonWebKey) }), now: () => 0 });
  const issuer = { keys: keySet, ready: Promise.resolve(), stop: () => undefined };
  return openIdAuthenticator({
    configuration: issuers[0]!,
    issuer,
    audiences: ['own'],
    now: () => NOW * 1000,
  });
}
const token = (claims: object = {}, signer = key, header: object = {}) =>
  signedToken({ iss: URL, aud: 'test', exp: NOW + 60, sub: 'ann', ...claims }, signer, header);
const sendRequest = async (setup: Setup, claims: object = {}, ...rest: [IssuerKey?, object?]) =>
  (await make(setup).authenticateToken(token(claims, ...rest)))?.user;
const mapping = (claimMappings: ClaimMappings): Setup => ({
  authenticator: { claimMappings: { username: { claim: 'sub', prefix: '' }, ...claimMappings } },
});

describe('tokens of an OpenID issuer', () => {
  it.each(ALL as IssuerAlgorithm[])(
    'are accepted with signature algorithm %s only where it is enabled',
    async (algorithm) => {
      const signer = issuerKey('k', algorithm);
      expect((await sendRequest({ keys: [key, signer] }, {}, signer))?.name).toBe('ann');
      const others = ALL.filter((other) => other !== algorithm);
      await expect(sendRequest({ keys: [signer], algorithms: others }, {}, signer)).rejects.toThrow(
        'unsupported algorithm',
      );
    },
  );

  it('are valid for the API audiences when they have an audience of the issuer', async () => {
    expect(await make().authenticateToken(token({ aud: ['x', 'test'] }))).toMatchObject({
      audiences: ['own'],
      user: { groups: ['system:authenticated'] },
    });
    expect(await make().authenticateToken(token(), ['elsewhere'])).toBeUndefined();
  });

  it('have times as texts, and an id that names the credential', async () => {
    const user = await sendRequest({}, { exp: `${NOW + 60}`, nbf: '1.5e3', iat: 0.5, jti: 'abc' });
    expect(user?.extra).toEqual(new Map([['authentication.kubernetes.io/credential-id', ['JTI=abc']]]));
    expect((await sendRequest({}, { jti: 5 }))?.extra).toEqual(new Map());
  });

  it('are ignored for other issuers', async () => {
    expect(await make().authenticateToken(token({ iss: 'https://elsewhere.test' }))).toBeUndefined();
    expect(await make().authenticateToken('no.such.token')).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['for another audience', { aud: 'other' }, 'expected audience "test" got ["other"]'],
    ['without an audience', { aud: undefined }, 'expected audience'],
    ['expired', { exp: NOW - 1 }, 'expired'],
    ['without end', { exp: undefined }, 'expired'],
    ['with an end that is no number', { exp: 'tomorrow' }, 'invalid number literal'],
    ['with an end beyond all times', { exp: 1e300 }, 'expired'],
    ['with a start that is a list', { nbf: [] }, 'cannot unmarshal array into Go struct field idToken.nbf'],
    ['with a time of issue that is no number', { iat: true }, 'idToken.iat of type json.Number'],
    ['with an audience that is no text', { aud: ['test', 1] }, 'idToken.aud of type string'],
    ['with a nonce that is no text', { nonce: 5 }, 'idToken.nonce of type string'],
    ['with a start in another case', { NBF: NOW + 61 }, 'not before'],
    ['with a claim without source', { _claim_names: { a: 'b' } }, 'source does not exist'],
    ['not valid for long', { nbf: NOW + 61 }, 'not before'],
    ['without the name', { sub: undefined }, 'parse username claims "sub": claim not present'],
    ['with a number for a name', { sub: 5 }, 'cannot unmarshal number'],
  ])('are rejected %s', async (_title, claims, text) => {
    await expect(sendRequest({}, claims)).rejects.toThrow(text);
  });

  it('are rejected with the signature of another key or without one', async () => {
    await expect(sendRequest({}, {}, issuerKey('one', 'ES256'))).rejects.toThrow(
      'failed to verify signature',
    );
    await expect(sendRequest({}, {}, key, { kid: 'other' })).rejects.toThrow('failed to verify signature');
    await expect(sendRequest({}, {}, key, { alg: 'none' })).rejects.toThrow('unsupported algorithm');
    await expect(sendRequest({}, {}, key, { alg: 'RS256' })).rejects.toThrow('failed to verify signature');
    expect((await sendRequest({}, {}, key, { kid: undefined }))?.name).toBe('ann');
  });

  it('tolerate clock skew of nbf', async () => {
    expect((await sendRequest({}, { nbf: NOW + 59 }))?.name).toBe('ann');
  });

  it.each<[unknown, unknown]>([
    [
      ['a', 'b'],
      ['p:a', 'p:b'],
    ],
    ['solo', ['p:solo']],
    ['', ['p:']],
    [[], []],
    [null, []],
    [undefined, []],
  ])('have the groups claim %j', async (groups, expected) => {
    expect(
      (await sendRequest(mapping({ groups: { claim: 'groups', prefix: 'p:' } }), { groups }))?.groups.slice(
        0,
        -1,
      ),
    ).toEqual(expected);
  });

  it('require the mapped uid and string groups', async () => {
    expect((await sendRequest(mapping({ uid: { claim: 'uid' } }), { uid: 'u' }))?.uid).toBe('u');
    await expect(sendRequest(mapping({ uid: { claim: 'uid' } }))).rejects.toThrow('claim not present');
    await expect(
      sendRequest(mapping({ groups: { claim: 'g', prefix: '' } }), { g: ['a', 1] }),
    ).rejects.toThrow('parse groups claim "g"');
  });

  it('are rejected with an unverified email username', async () => {
    const byEmail = mapping({ username: { claim: 'email', prefix: '' } });
    expect((await sendRequest(byEmail, { email: 'a@b' }))?.name).toBe('a@b');
    expect((await sendRequest(byEmail, { email: 'a@b', email_verified: true }))?.name).toBe('a@b');
    await expect(sendRequest(byEmail, { email: 'a@b', email_verified: false })).rejects.toThrow(
      'email not verified',
    );
    await expect(sendRequest(byEmail, { email: 'a@b', email_verified: 'true' })).rejects.toThrow(
      "'email_verified' claim",
    );
  });

  it('are mapped by expressions', async () => {
    const setup = mapping({
      username: { expression: 'claims.sub + "@" + claims.?domain.orValue("none")' },
      groups: { expression: 'claims.roles' },
      uid: { expression: 'string(claims.number)' },
      extra: [
        { key: 'example.com/list', valueExpression: 'claims.list' },
        { key: 'example.com/none', valueExpression: '""' },
        { key: 'example.com/member', valueExpression: 'claims["__proto__"]' },
      ],
    });
    const claims = JSON.parse(
      '{"roles":["a","","b"],"number":5,"list":["x",""],"__proto__":"own"}',
    ) as object;
    const user = await make(setup).authenticateToken(token({ ...claims, ['__proto__']: 'own' }));
    expect(user?.user).toMatchObject({
      name: 'ann@none',
      uid: '5',
      groups: ['a', 'b', 'system:authenticated'],
    });
    expect([...user!.user.extra]).toEqual([
      ['example.com/list', ['x']],
      ['example.com/member', ['own']],
    ]);
  });

  it.each<[string, unknown]>([
    ['claims.roles.split(",")', undefined],
    ['claims.roles.findAll("[a-z]+")', undefined],
    ['claims.roles.split(",").map(role, role)', ['a', 'b']],
    ['["x"] + ["y"]', ['x', 'y']],
    ['[5]', undefined],
    ['5', undefined],
    ['null', []],
  ])('map groups with %s as kube-apiserver does', async (expression, expected) => {
    const requested = sendRequest(mapping({ groups: { expression } }), { roles: 'a,b' });
    if (expected === undefined)
      await expect(requested).rejects.toThrow('expression must return a string or a list of strings');
    else expect((await requested)?.groups.slice(0, -1)).toEqual(expected);
  });

  it('are rejected when an expression gives an empty username', async () => {
    const requested = sendRequest(mapping({ username: { expression: '""' } }));
    await expect(requested).rejects.toThrow('oidc: empty username via CEL expression is not allowed');
  });

  it('are rejected when an expression exceeds its cost limit', async () => {
    const expression = 'dyn(claims.list).all(a, dyn(claims.list).all(b, dyn(claims.list).all(c, a != "x")))';
    const setup: Setup = { authenticator: { claimValidationRules: [{ expression }] } };
    const list = (length: number) => Array.from({ length }, () => 'a');
    expect((await sendRequest(setup, { list: list(3) }))?.name).toBe('ann');
    await expect(sendRequest(setup, { list: list(200) })).rejects.toThrow('cost limit exceeded');
  });

  it('are rejected when a validation rule fails', async () => {
    const setup: Setup = {
      authenticator: {
        claimValidationRules: [
          { claim: 'tenant', requiredValue: 'blue' },
          { expression: '!has(claims.admin) || claims.admin == false', message: 'no admins' },
        ],
        userValidationRules: [
          { expression: '!user.username.startsWith("system:")', message: 'reserved' },
          { expression: 'user.groups.size() + user.extra.size() == 0 && user.uid == ""' },
        ],
      },
    };
    expect((await sendRequest(setup, { tenant: 'blue' }))?.name).toBe('ann');
    await expect(sendRequest(setup)).rejects.toThrow('required claim tenant not present');
    await expect(sendRequest(setup, { tenant: 'red' })).rejects.toThrow('Got = red, want = blue');
    await expect(sendRequest(setup, { tenant: 'blue', admin: true })).rejects.toThrow(
      "validation expression '!has(claims.admin) || claims.admin == false' failed: no admins",
    );
    await expect(sendRequest(setup, { tenant: 'blue', sub: 'system:x' })).rejects.toThrow('failed: reserved');
    await expect(sendRequest(setup, { tenant: 'blue', admin: 'yes' })).rejects.toThrow(AuthenticationError);
  });

  it('throw only AuthenticationError for arbitrary signed claims', async () => {
    const authenticator = make(
      mapping({
        groups: { claim: 'groups', prefix: '' },
        extra: [{ key: 'a.b/c', valueExpression: 'claims.x' }],
      }),
    );
    const claims = fc.dictionary(
      fc.constantFrom('sub', 'aud', 'exp', 'nbf', 'groups', 'x', '__proto__'),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(claims, async (given) => {
        try {
          await authenticator.authenticateToken(token(given));
        } catch (error) {
          expect(error).toBeInstanceOf(AuthenticationError);
        }
      }),
    );
  });
});

describe('the flags of an issuer', () => {
  const flags = {
    issuerUrl: URL,
    clientId: 'test',
    caBundle: undefined,
    usernameClaim: 'name',
    usernamePrefix: '',
    groupsClaim: 'groups',
    groupsPrefix: 'g:',
    requiredClaims: ['a=b=c'],
  };
  const claims = { name: 'ann', email: 'ann@x', groups: ['one'], a: 'b=c' };
  const nameWith = async (changes: Partial<typeof flags>) =>
    (await sendRequest({ authenticator: authenticatorFromFlags({ ...flags, ...changes }) }, claims))?.name;

  it('prefix usernames with the issuer, except emails or with an explicit prefix', async () => {
    expect(await nameWith({})).toBe(`${URL}#ann`);
    expect(await nameWith({ usernamePrefix: '-' })).toBe('ann');
    expect(await nameWith({ usernamePrefix: 'x:' })).toBe('x:ann');
    expect(await nameWith({ usernameClaim: 'email' })).toBe('ann@x');
  });

  it('prefix groups, and require claims', async () => {
    const setup = { authenticator: authenticatorFromFlags(flags) };
    expect((await sendRequest(setup, claims))?.groups).toEqual(['g:one', 'system:authenticated']);
    await expect(sendRequest(setup, { ...claims, a: 'b' })).rejects.toThrow('want = b=c');
  });
});
