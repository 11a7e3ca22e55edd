const now = Math.floor(Date.now() / 1000);
const wrong = [5, true, ['a'], { a: 'b' }];
const variants = [
  ...['sub', 'nonce', 'at_hash', '_claim_names', '_claim_sources'].flatMap((name) =>
    wrong.map((value) => ({ [name]: value })),
  ),
  ...['exp', 'nbf', 'iat'].flatMap((name) =>
    [null, '', 'a', `${now + 30}`, '1e3', '01', ...wrong, now + 30.5, 1e300, 0].map((value) => ({
      [name]: value,
    })),
  ),
  ...[null, '', 5, {}, [], ['conformance', 1], ['x', null], ['x', 'conformance']].map((aud) => ({ aud })),
  ...['a', '', 5, null].map((jti) => ({ jti })),
  { Sub: 'other' },
  { NBF: 'a' },
  { Aud: 'elsewhere' },
  { exp: 1000 },
  { exp: undefined },
  { nbf: 4102444800.5 },
  { _claim_names: { other: 'source' } },
  { _claim_names: { other: '' } },
  { _claim_names: { other: 'source' }, _claim_sources: { source: {} } },
];

const review = async (ctx, token) => {
  const { body } = await ctx.request({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { spec: { token } },
  });
  return body.status;
};
/** The current time, and the time zone with the monotonic clock, differ. */
const withoutTimes = (text) =>
  text
    ?.replace(/current time .* before/, 'current time before')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?/, (time) =>
      time.startsWith('20') && !time.startsWith('2100') ? '<time>' : time,
    );

export default {
  title:
    'Standard claims of tokens of an issuer: types, names in any case, times as texts, the id of the token',
  profile: 'authentication-config',
  steps: [
    {
      name: 'reviews',
      timeoutMs: 90_000,
      run: async (ctx) => {
        const { issuer } = ctx.environment.prepared;
        const base = { tenant: 'blue', uid: 'u' };
        const token = (claims) => issuer.token('claims', { ...base, ...claims });
        for (let ready = false; !ready; await ctx.sleep(200))
          ready = (await review(ctx, token({}))).authenticated;
        const results = {};
        for (const claims of variants) {
          const { error, user } = await review(ctx, token(claims));
          const name = JSON.stringify(claims).replace(/\d{10}/, '<soon>');
          results[name] = withoutTimes(error) ?? { ...user, groups: undefined };
        }
        return results;
      },
    },
    {
      name: 'a review with blanks around the token',
      run: async (ctx) => {
        const token = ctx.environment.prepared.issuer.token('claims', { tenant: 'blue', uid: 'u' });
        return [
          (await review(ctx, `${token}\n`)).authenticated,
          (await review(ctx, `${token} x`)).authenticated,
        ];
      },
    },
  ],
};
