import { describe, expect, test, vi } from 'vitest';
import { RequestHeadParser } from '../../src/http2/request-head.ts';

type Pairs = readonly (readonly [string, string])[];

const get: Pairs = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'a.example:6443'],
  [':path', '/api?x=%20'],
];
const parse = (pairs: Pairs) => new RequestHeadParser().parse(pairs.flat());

describe('heads of requests', () => {
  test('an ordinary one', () => {
    expect(parse([...get, ['accept', 'a'], ['accept', 'b'], ['content-length', '12']])).toEqual({
      method: 'GET',
      path: '/api?x=%20',
      authority: 'a.example:6443',
      fields: ['accept', 'a', 'accept', 'b', 'content-length', '12'],
      contentLength: 12,
      expectsContinue: false,
      refusal: undefined,
    });
  });

  test.each<[string, Pairs]>([
    ['no method', get.slice(1)],
    ['no scheme', get.filter(([name]) => name !== ':scheme')],
    ['another scheme', [get[0]!, [':scheme', 'ftp'], ...get.slice(2)]],
    ['no path', get.slice(0, 3)],
    ['an empty path', [...get.slice(0, 3), [':path', '']]],
    ['a repeated method', [...get, [':method', 'GET']]],
    ['a repeated authority', [...get, [':authority', 'a.example:6443']]],
    ['a repeated path', [...get, [':path', '/other']]],
    ['an unknown pseudo-header', [...get, [':protocol', 'websocket']]],
    ["a response's pseudo-header", [...get, [':status', '200']]],
    ['a pseudo-header after others', [...get.slice(0, 3), ['accept', 'a'], get[3]!]],
    ['an upper-case name', [...get, ['Accept', 'a']]],
    ['connection', [...get, ['connection', 'close']]],
    ['keep-alive', [...get, ['keep-alive', '1']]],
    ['proxy-connection', [...get, ['proxy-connection', 'close']]],
    ['transfer-encoding', [...get, ['transfer-encoding', 'chunked']]],
    ['upgrade', [...get, ['upgrade', 'h2c']]],
    ['te other than trailers', [...get, ['te', 'gzip']]],
    ['a content-length with a sign', [...get, ['content-length', '+1']]],
    ['an empty content-length', [...get, ['content-length', '']]],
    ['two content-lengths in one', [...get, ['content-length', '1, 1']]],
    ['different content-lengths', [...get, ['content-length', '1'], ['content-length', '2']]],
    ['CONNECT with a path', [[':method', 'CONNECT'], ...get.slice(1)]],
    ['CONNECT without an authority', [[':method', 'CONNECT']]],
  ])('%s: malformed', (_what, pairs) => {
    expect(parse(pairs)).toBeUndefined();
  });

  test.each<[string, Pairs, string]>([
    ['an empty name', [...get, ['', 'a']], 'malformed header name: ""'],
    ['a space in a name', [...get, ['a b', 'c']], 'malformed header name: "a b"'],
    ['a NUL in a value', [...get, ['a', 'b\0']], 'malformed value of the header "a"'],
    ['a line break in a value', [...get, ['a', 'b\r\nc']], 'malformed value of the header "a"'],
    ['two forbidden ones', [...get, ['a', '\0'], ['b c', 'd']], 'malformed value of the header "a"'],
    ['a long name', [...get, ['é'.repeat(5000), 'b']], `malformed header name: "${'é'.repeat(100)}"`],
    ['a method that is no token', [[':method', 'GE T'], ...get.slice(1)], 'malformed :method'],
    ['a target without a slash', [...get.slice(0, 3), [':path', 'nowhere']], 'malformed :path'],
    ['a space in the path', [...get.slice(0, 3), [':path', '/a b']], 'malformed :path'],
    ['a line break in the path', [...get.slice(0, 3), [':path', '/a\r\nb']], 'malformed :path'],
    ['* with GET', [...get.slice(0, 3), [':path', '*']], 'malformed :path'],
    [
      'user information in the authority',
      [...get.slice(0, 2), [':authority', 'u@a'], get[3]!],
      'malformed :authority',
    ],
    ['a path in the authority', [...get.slice(0, 2), [':authority', 'a/b'], get[3]!], 'malformed :authority'],
    [
      'a Host other than the authority',
      [...get, ['host', 'b.example']],
      'the Host header differs from :authority',
    ],
    [
      'two different Hosts',
      [...get.filter(([name]) => name !== ':authority'), ['host', 'a'], ['host', 'b']],
      'more than one Host header',
    ],
    [
      'a malformed Host',
      [...get.filter(([name]) => name !== ':authority'), ['host', 'a/b']],
      'malformed Host header',
    ],
  ])('%s: refused', (_what, pairs, message) => {
    expect(parse(pairs)?.refusal).toEqual({ status: 400, message });
  });

  test('too many fields are refused with 431', () => {
    expect(new RequestHeadParser().parse(get.flat(), true)?.refusal?.status).toBe(431);
  });

  test('white space around a value is no part of it', () => {
    const parser = new RequestHeadParser();
    const read = () =>
      parser.parse(
        [
          ...get,
          ['user-agent', ' kubectl \t'],
          ['a', ' b c '],
          ['b', ' \t '],
          ['te', 'trailers '],
          ['content-length', ' 3'],
          ['expect', ' 100-continue '],
        ].flat(),
      );
    expect(read()).toMatchObject({
      fields: [
        ...['user-agent', 'kubectl', 'a', 'b c', 'b', '', 'te', 'trailers'],
        ...['content-length', '3', 'expect', '100-continue'],
      ],
      contentLength: 3,
      expectsContinue: true,
      refusal: undefined,
    });
    expect(read()!.fields).toBe(read()!.fields);
    expect(parser.parse([...get, ['user-agent', 'kubectl']].flat())!.fields).toEqual([
      'user-agent',
      'kubectl',
    ]);
  });

  test('Host is the authority where there is none, and may repeat it', () => {
    const others = get.filter(([name]) => name !== ':authority');
    expect(parse([...others, ['host', 'b']])).toMatchObject({ authority: 'b', refusal: undefined });
    expect(parse(others)).toMatchObject({ authority: '', refusal: undefined });
    expect(parse([...get, ['host', 'A.example:6443']])).toMatchObject({ refusal: undefined });
    expect(parse([...get.slice(0, 2), [':authority', '[::1]:6443'], get[3]!])).toMatchObject({
      refusal: undefined,
    });
  });

  test('cookies that were split are one header', () => {
    const head = parse([...get, ['cookie', 'a=1'], ['accept', 'x'], ['cookie', 'b=2'], ['cookie', 'c=3']]);
    expect(head?.fields).toEqual(['accept', 'x', 'cookie', 'a=1; b=2; c=3']);
  });

  test('te: trailers, OPTIONS * and Expect are understood', () => {
    expect(parse([...get, ['te', 'trailers']])).toMatchObject({ refusal: undefined });
    expect(parse([[':method', 'OPTIONS'], ...get.slice(1, 3), [':path', '*']])).toMatchObject({
      refusal: undefined,
    });
    expect(parse([...get, ['expect', '100-Continue']])?.expectsContinue).toBe(true);
    expect(parse([...get, ['expect', 'other']])?.expectsContinue).toBe(false);
  });

  test('CONNECT has an authority only', () => {
    expect(
      parse([
        [':method', 'CONNECT'],
        [':authority', 'a:1'],
      ]),
    ).toMatchObject({ method: 'CONNECT', path: '' });
  });

  test('fields of the request before are checked once, against each authority', () => {
    const parser = new RequestHeadParser();
    const read = (pairs: Pairs) => parser.parse(pairs.flat());
    const fields: Pairs = [
      ['accept', 'a'],
      ['host', 'a.example:6443'],
    ];
    const first = read([...get, ...fields])!;
    const second = read([...get.slice(0, 3), [':path', '/other'], ...fields])!;
    expect(second).toEqual({ ...first, path: '/other' });
    expect(second.fields).toBe(first.fields);
    const elsewhere = read([...get.slice(0, 2), [':authority', 'b'], get[3]!, ...fields])!;
    expect(elsewhere.refusal?.status).toBe(400);
    expect(read([...get, fields[0]!, ['host', 'b']])!.refusal?.status).toBe(400);
    expect(read([...get, ...fields, ['a', '\0']])!.refusal?.status).toBe(400);
    expect(read([...get, ...fields, ['te', 'gzip']])).toBeUndefined();
    expect(read([...get, ...fields])).toEqual(first);
  });

  test('long fields are not kept for the next request', () => {
    const parser = new RequestHeadParser();
    const read = () => parser.parse([...get, ['a', 'x'.repeat(5000)]].flat())!.fields;
    expect(read()).not.toBe(read());
  });

  test('long values are checked in linear time', () => {
    const time = vi.fn(() => parse([...get, ['a', ' \t'.repeat(500_000)], ['b', 'x '.repeat(500_000)]]));
    const start = process.cpuUsage().user;
    time();
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000);
  });
});

test('a value to which many fields refer is checked once', () => {
  const value = 'v'.repeat(4000);
  const check = vi.spyOn(RegExp.prototype, 'test');
  const many: Pairs = Array.from({ length: 250 }, () => ['x-a', value]);
  expect(parse([...get, ...many])?.refusal).toBeUndefined();
  expect(check.mock.calls.filter(([text]) => text === value)).toHaveLength(1);
  check.mockRestore();
  const forbidden: Pairs = many.map(([name]) => [name, `${value}\0`]);
  expect(parse([...get, ...forbidden])?.refusal?.status).toBe(400);
});
