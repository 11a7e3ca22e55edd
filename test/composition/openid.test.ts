import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { issuerKey, TokenIssuer } from '../support/token-issuer.ts';

/** The user name for a token, or the status of the response. */
async function nameOf(cluster: TestCluster, token: string): Promise<unknown> {
  const answer = await cluster.fetch('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const body = (await answer.json()) as { status: { userInfo?: { username: string } } };
  return answer.status === 201 ? body.status.userInfo?.username : answer.status;
}

describe('tokens of an issuer', () => {
  const issuer = new TokenIssuer();
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-openid-'));
    await issuer.start();
    writeFileSync(join(directory, 'ca.pem'), issuer.caBundle);
  });
  afterAll(async () => {
    await issuer.stop();
    rmSync(directory, { recursive: true });
  });

  it('are accepted with the --oidc-* flags, also after a key rotation', async () => {
    const cluster = await startCluster({
      oidcIssuerUrl: issuer.url(),
      oidcClientId: 'test',
      oidcCaFile: join(directory, 'ca.pem'),
      oidcSigningAlgs: ['RS256', 'ES256'],
    });
    await expect.poll(() => nameOf(cluster, issuer.token())).toBe(`${issuer.url()}#ann`);
    const next = issuerKey('two', 'ES256');
    const early = issuer.token({}, next);
    expect(await nameOf(cluster, early)).toBe(401);
    issuer.keys = [next];
    expect(await nameOf(cluster, early)).toBe(`${issuer.url()}#ann`);
    expect(await nameOf(cluster, issuer.token({}, issuerKey('two', 'ES256')))).toBe(401);
    expect(cluster.log.join('')).not.toContain(early);
    const metrics = await (await cluster.fetch('/metrics')).text();
    expect(metrics).toMatch(
      /apiserver_authentication_jwt_authenticator_latency_seconds_count\{jwt_issuer_hash="sha256:[0-9a-f]{64}",result="success"\} 2/,
    );
    expect(metrics).toMatch(/authentication_token_cache_request_total\{status="miss"\} \d+/);
    await cluster.stop();
  });

  it('follow the configuration file; an invalid file or an unreachable issuer changes nothing', async () => {
    const file = join(directory, 'authentication.yaml');
    const write = (changes: object, prefix = 'x:') => {
      const jwt = {
        issuer: { url: issuer.url(), audiences: ['test'], certificateAuthority: issuer.caBundle },
        claimMappings: { username: { claim: 'sub', prefix } },
      };
      const document = {
        apiVersion: 'apiserver.config.k8s.io/v1beta1',
        kind: 'AuthenticationConfiguration',
        jwt: [jwt],
        ...changes,
      };
      writeFileSync(`${file}.new`, JSON.stringify(document));
      renameSync(`${file}.new`, file);
    };
    write({ anonymous: { enabled: true, conditions: [{ path: '/livez' }] } });
    const cluster = await startCluster({ authenticationConfig: file });
    const status = async (path: string) => {
      const { status: code } = await cluster.fetch(path, { headers: { authorization: '' } });
      return code;
    };
    expect([await status('/livez'), await status('/readyz')]).toEqual([200, 401]);
    await expect.poll(() => nameOf(cluster, issuer.token())).toBe('x:ann');
    write({ nonsense: true });
    await expect.poll(() => cluster.log.join('')).toContain('unknown field \\"nonsense\\"');
    expect(await nameOf(cluster, issuer.token())).toBe('x:ann');
    write({}, 'y:');
    await expect.poll(() => nameOf(cluster, issuer.token({ jti: String(Math.random()) }))).toBe('y:ann');
    expect(await status('/readyz')).toBe(200);
    const metrics = await (await cluster.fetch('/metrics')).text();
    for (const result of ['failure', 'success']) {
      const labels = `apiserver_id_hash="sha256:[0-9a-f]{64}",status="${result}"`;
      expect(metrics).toMatch(
        new RegExp(`apiserver_authentication_config_controller_automatic_reloads_total\\{${labels}\\} [1-9]`),
      );
      expect(metrics).toMatch(
        new RegExp(
          `apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds\\{${labels}\\} \\d`,
        ),
      );
    }
    await cluster.stop();
  });

  it('prevent the start if the configuration is invalid', async () => {
    await expect(startCluster({ oidcIssuerUrl: 'http://x.test', oidcClientId: 'a' })).rejects.toThrow(
      'jwt[0].issuer.url: Invalid value: "http://x.test": URL scheme must be https',
    );
    const file = join(directory, 'empty.yaml');
    writeFileSync(file, '');
    await expect(startCluster({ authenticationConfig: file })).rejects.toThrow('empty config data');
  });
});
