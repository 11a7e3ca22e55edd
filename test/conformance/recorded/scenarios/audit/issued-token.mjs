const accounts = '/api/v1/namespaces/${ns}/serviceaccounts';

export default {
  title: 'The audit event of a TokenRequest names the token that was issued',
  profile: 'audit',
  namespace: true,
  setup: [{ method: 'POST', path: accounts, body: { metadata: { name: 'robot' } } }],
  steps: [
    {
      name: 'the annotation is the id in the token',
      run: async (ctx) => {
        const answer = await ctx.request({
          method: 'POST',
          path: `${accounts}/robot/token`,
          body: { spec: { audiences: ['a'] } },
        });
        const [, claims] = answer.body.status.token.split('.');
        const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
        await ctx.sleep(300);
        const [event] = await ctx.environment.prepared.events('/robot/token');
        const issued = event.annotations['authentication.kubernetes.io/issued-credential-id'];
        return { stage: event.stage, isTheToken: issued === `JTI=${jti}` };
      },
    },
  ],
};
