import { afterEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/config/options.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

describe('who is let in without credentials', { timeout: 60_000 }, () => {
  let cluster: TestCluster | undefined;
  afterEach(() => cluster?.stop());
  const statusWith = async (options: ServerOptions): Promise<number> => {
    cluster = await startCluster(options);
    return (await cluster.fetch('/version', { headers: { authorization: '' } })).status;
  };

  it('is anybody unless a flag forbids it', async () => {
    expect(await statusWith({})).toBe(200);
  });

  it('is nobody where it is forbidden', async () => {
    expect(await statusWith({ anonymousAuth: false })).toBe(401);
  });

  it('is nobody where everybody may do everything', async () => {
    expect(await statusWith({ authorizationMode: ['AlwaysAllow'] })).toBe(401);
    expect(cluster!.log.join('')).toContain('AnonymousAuth is not allowed with the AlwaysAllow authorizer');
  });
});
