import { describe, expect, it } from 'vitest';
import { createBearerAuthenticator, parseBearer } from '../../src/authentication/bearer.ts';
import { CsvError, parseCsv } from '../../src/authentication/csv.ts';
import { readTokenFile } from '../../src/authentication/token-file.ts';
import { createAuthentication } from '../../src/authentication/union.ts';
import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
} from '../../src/request/authenticator.ts';
import { credentials, user } from './fixtures.ts';

const AUDIENCES = ['https://issuer.test', 'other'];
const TEXT = [
  't1,gina,gina-uid,"one,two"',
  't2,paul,paul-uid',
  't3,erin,erin-uid,""',
  't4,"quinn, the user",quinn-uid',
  't5,xavi,xavi-uid,"one",ignored',
  't6,system:anonymous,u',
  't7,yara,u,"system:unauthenticated"',
].join('\n');

describe('token file', () => {
  it.each([
    ['t1', 'gina', ['one', 'two', 'system:authenticated']],
    ['t2', 'paul', ['system:authenticated']],
    ['t3', 'erin', ['', 'system:authenticated']],
    ['t4', 'quinn, the user', ['system:authenticated']],
    ['t5', 'xavi', ['one', 'system:authenticated']],
    ['t6', 'system:anonymous', []],
    ['t7', 'yara', ['system:unauthenticated']],
  ])('%s is %s', (token, name, groups) => {
    const answer = readTokenFile(TEXT, 'f', AUDIENCES).authenticator.authenticateToken(
      token,
    ) as Authenticated;
    expect(answer.user).toMatchObject({ name, groups });
    expect(answer.audiences).toBe(AUDIENCES);
  });

  it('returns the requested audiences only', () => {
    const { authenticator } = readTokenFile(TEXT, 'f', AUDIENCES);
    expect(authenticator.authenticateToken('t1', ['other', 'x'])).toMatchObject({ audiences: ['other'] });
    expect(authenticator.authenticateToken('t1', ['x'])).toBeUndefined();
    expect(authenticator.authenticateToken('unknown')).toBeUndefined();
  });

  it('rejects records with too few columns and warns of empty and duplicate tokens', () => {
    expect(() => readTokenFile('a,b\n', '/f.csv', [])).toThrow(
      "token file '/f.csv' must have at least 3 columns (token, user name, user uid), found 2",
    );
    const { warnings, authenticator } = readTokenFile('a,b,c\n,x,y\na,d,e\n', 'f', []);
    expect(warnings).toEqual([
      "empty token has been found in token file 'f', record number '2'",
      "duplicate token has been found in token file 'f', record number '3'",
    ]);
    expect(authenticator.authenticateToken('a')).toMatchObject({ user: { name: 'd' } });
  });
});

describe('csv', () => {
  it.each([
    ['a,b\r\n\nc', [['a', 'b'], ['c']]],
    ['"a ""q"" b",c\n', [['a "q" b', 'c']]],
    ['"two\nlines",x', [['two\nlines', 'x']]],
    ['a,', [['a', '']]],
    ['', []],
  ])('%j', (text, records) => expect(parseCsv(text)).toEqual(records));

  it.each([
    ['a,b"c', 'parse error on line 1, column 4: bare " in non-quoted field'],
    ['x\n"a"b', 'parse error on line 2, column 3: extraneous or missing " in quoted-field'],
    ['"open', 'parse error on line 1, column 6: extraneous or missing " in quoted-field'],
  ])('rejects %j', (text, message) => expect(() => parseCsv(text)).toThrow(new CsvError(message)));
});

describe('bearer header', () => {
  it.each([
    ['Bearer t', 't'],
    ['bearer t', 't'],
    ['BEARER t', 't'],
    ['Bearer t extra', 't'],
    [' Bearer t ', 't'],
    ['Bearer  t', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Basic YTpi', undefined],
    ['Token t', undefined],
    ['t', undefined],
  ])('%j', (header, token) => expect(parseBearer(header)).toBe(token));
});

describe('authentication', () => {
  const bearer = (now = () => 0) =>
    createBearerAuthenticator({
      authenticators: [readTokenFile(TEXT, 'f', AUDIENCES).authenticator],
      audiences: AUDIENCES,
      now,
    });

  it('accepts known tokens, rejects unknown ones and treats other requests as anonymous', () => {
    const authenticate = createAuthentication([bearer()], { anonymous: () => true });
    expect(authenticate(credentials({ authorization: 'Bearer t1' }))).toMatchObject({
      user: { name: 'gina' },
    });
    expect(authenticate(credentials({ authorization: 'Bearer nonsense' }))).toBeUndefined();
    expect(authenticate(credentials({ authorization: 'Basic YTpi' }))).toMatchObject({
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    });
    expect(createAuthentication([], { anonymous: () => false })(credentials({}))).toBeUndefined();
    const some = createAuthentication([], { anonymous: () => ({ paths: ['/livez'] }) });
    expect(some(credentials({}, '/livez'))).toBeDefined();
    expect(some(credentials({}, '/livez/ping'))).toBeUndefined();
  });

  it('ignores a rejection when a later authenticator succeeds, and adds system:authenticated', async () => {
    const refusing: Authenticator = {
      name: 'a',
      authenticate: () => {
        throw new AuthenticationError('expired');
      },
    };
    const late: Authenticator = { name: 'b', authenticate: async () => ({ user: user('late', ['x']) }) };
    const seen: string[] = [];
    const authenticate = createAuthentication([refusing, late], {
      anonymous: () => true,
      onError: (name) => void seen.push(name),
    });
    expect(await authenticate(credentials({}))).toMatchObject({
      user: { groups: ['x', 'system:authenticated'] },
    });
    expect(seen).toEqual(['a']);
    const failing: Authenticator = {
      name: 'c',
      authenticate: async () => {
        throw new AuthenticationError('no');
      },
    };
    expect(await createAuthentication([failing], { anonymous: () => true })(credentials({}))).toBeUndefined();
  });

  it('caches a success for ten seconds', () => {
    let time = 0;
    let asked = 0;
    const counting = {
      name: 'n',
      authenticateToken: () => {
        asked += 1;
        return asked < 3 ? { user: user('n') } : undefined;
      },
    };
    const authenticator = createBearerAuthenticator({
      authenticators: [counting],
      audiences: [],
      now: () => time,
    });
    const sendRequest = () => authenticator.authenticate(credentials({ authorization: 'Bearer x' }));
    sendRequest();
    time = 9_999;
    sendRequest();
    expect(asked).toBe(1);
    time = 10_000;
    sendRequest();
    expect(asked).toBe(2);
    time = 30_000;
    expect(sendRequest).toThrow('invalid bearer token');
  });
});
