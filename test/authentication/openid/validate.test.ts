import { describe, expect, it } from 'vitest';
import { compileConfiguration } from '../../../src/authentication/openid/index.ts';
import type {
  AuthenticationConfiguration,
  JWTAuthenticator,
} from '../../../src/model/generated/apiserverconfig-v1beta1.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';

const issuer = { url: 'https://issuer.test', audiences: ['a'] };
const claimMappings = { username: { claim: 'sub', prefix: '' } };
const errorsOf = (configuration: AuthenticationConfiguration) =>
  compileConfiguration(configuration, ['RS256'], ['https://own.test']).errors.map(formatFieldError);
const errorsWith = (changes: JWTAuthenticator) => errorsOf({ jwt: [{ issuer, claimMappings, ...changes }] });
const mapped = (mappings: JWTAuthenticator['claimMappings']) =>
  errorsWith({ claimMappings: { ...claimMappings, ...mappings } });
const EMAIL = 'claims.email_verified must be used in';

describe('an AuthenticationConfiguration', () => {
  it('allows between zero and 64 issuers', () => {
    expect(errorsOf({})).toEqual([]);
    const many = (count: number) => ({
      jwt: Array.from({ length: count }, (_, index) => ({
        issuer: { ...issuer, url: `https://i${index}.test` },
        claimMappings,
      })),
    });
    expect(errorsOf(many(64))).toEqual([]);
    expect(errorsOf(many(65))).toEqual(['jwt: Too many: 65: must have at most 64 items']);
  });

  it('rejects duplicate issuers and discovery URLs, and service account issuers', () => {
    const one = { issuer: { ...issuer, discoveryURL: 'https://d.test' }, claimMappings };
    expect(errorsOf({ jwt: [one, one] })).toEqual([
      'jwt[1].issuer.url: Duplicate value: "https://issuer.test"',
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://d.test"',
    ]);
    expect(errorsWith({ issuer: { ...issuer, url: 'https://own.test' } })).toEqual([
      'issuer.url: Invalid value: "https://own.test": URL must not overlap with disallowed issuers: [https://own.test]',
    ]);
  });

  it.each<[Partial<typeof issuer> & Record<string, unknown>, string[]]>([
    [{ url: '' }, ['jwt[0].issuer.url: Required value: URL is required']],
    [
      { url: 'http://x.test' },
      ['jwt[0].issuer.url: Invalid value: "http://x.test": URL scheme must be https'],
    ],
    [{ url: 'nonsense' }, ['jwt[0].issuer.url: Invalid value: "nonsense": URL scheme must be https']],
    [
      { discoveryURL: 'https://issuer.test/' },
      [
        'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer.test/": discoveryURL must be different from URL',
      ],
    ],
    [
      { audiences: [] },
      ['jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required'],
    ],
    [{ audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' }, []],
    [
      { certificateAuthority: 'x' },
      [
        'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
      ],
    ],
  ])('validates the issuer %j', (changes, errors) => {
    expect(errorsWith({ issuer: { ...issuer, ...changes } })).toEqual(errors);
  });

  it.each<[JWTAuthenticator['claimMappings'], string[]]>([
    [{ username: {} }, ['username: Required value: claim or expression is required']],
    [
      { username: { claim: 'sub' } },
      [
        'username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ],
    ],
    [
      { username: { claim: 'a', expression: 'b' } },
      ['username: Invalid value: "": claim and expression can\'t both be set'],
    ],
    [
      { username: { expression: 'claims.sub', prefix: '' } },
      ['username.prefix: Invalid value: "": prefix can\'t be set when expression is set'],
    ],
    [
      { uid: { claim: 'a', expression: 'b' } },
      ['uid: Invalid value: "": claim and expression can\'t both be set'],
    ],
    [{ groups: { claim: 'a', prefix: 'x' }, uid: { expression: 'claims.uid' } }, []],
    [{ extra: [{ key: 'example.org/a', valueExpression: 'claims.a' }] }, []],
    [{ extra: [{ key: '', valueExpression: 'claims.a' }] }, ['extra[0].key: Required value']],
    [
      { extra: [{ key: 'plain', valueExpression: 'claims.a' }] },
      ['extra[0].key: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { extra: [{ key: 'example.org/A', valueExpression: 'claims.a' }] },
      ['extra[0].key: Invalid value: "example.org/A": key must be lowercase'],
    ],
    [
      { extra: [{ key: 'x.k8s.io/a', valueExpression: 'claims.a' }] },
      [
        'extra[0].key: Invalid value: "x.k8s.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
      ],
    ],
    [
      { extra: [{ key: 'a.b/c' }, { key: 'a.b/c', valueExpression: 'claims.a' }] },
      [
        'extra[0].valueExpression: Required value: valueExpression is required',
        'extra[1].key: Duplicate value: "a.b/c"',
      ],
    ],
  ])('validates the mappings %j', (changes, errors) => {
    expect(mapped(changes)).toEqual(errors.map((error) => `jwt[0].claimMappings.${error}`));
  });

  it('reports the field of an expression that does not compile', () => {
    expect(mapped({ username: { expression: 'user.name' } })).toEqual([
      expect.stringContaining("compilation failed: ERROR: <input>:1:1: undeclared reference to 'user'"),
    ]);
    expect(
      errorsWith({
        userValidationRules: [
          {},
          { expression: 'user.username' },
          { expression: 'true' },
          { expression: 'true' },
        ],
      }),
    ).toEqual([
      'jwt[0].userValidationRules[0].expression: Required value: expression is required',
      'jwt[0].userValidationRules[1].expression: Invalid value: "user.username": must evaluate to bool',
      'jwt[0].userValidationRules[3].expression: Duplicate value: "true"',
    ]);
  });

  it.each([
    ['claims.email', false],
    ['claims.?email.orValue("")', false],
    ['["x"].exists(e, claims.email == e) ? "x" : "y"', false],
    ['claims.email_verified ? claims.email : claims.sub', true],
    ['claims.sub', true],
  ])('requires email_verified for an email username: %s', (expression, isGood) => {
    const errors = mapped({ username: { expression } });
    expect(errors).toEqual(isGood ? [] : [expect.stringContaining(EMAIL)]);
    const rule = { expression: 'claims.?email_verified.orValue(false) == true' };
    expect(errorsWith({ claimMappings: { username: { expression } }, claimValidationRules: [rule] })).toEqual(
      [],
    );
  });

  it('rejects conditions when anonymous requests are disabled', () => {
    expect(errorsOf({ anonymous: { enabled: true, conditions: [{ path: '/a' }] } })).toEqual([]);
    expect(errorsOf({ anonymous: { conditions: [{ path: '/a' }] } })).toEqual([
      expect.stringContaining('enabled should be set to true when conditions are defined'),
    ]);
  });
});
