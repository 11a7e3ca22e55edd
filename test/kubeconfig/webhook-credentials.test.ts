import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWebhookCredentials } from '../../src/kubeconfig/webhook-credentials.ts';

describe('readWebhookCredentials', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-webhook-credentials-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const read = (users: Record<string, object>, more: object = {}) => {
    const file = join(directory, 'kubeconfig');
    const list = Object.entries(users).map(([name, user]) => ({ name, user }));
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users: list, ...more }));
    return readWebhookCredentials(file);
  };
  const token = (name: string) => ({ token: name });

  it.each([
    ['hook.team.svc:443', 'exact'],
    ['hook.team.svc', 'exact'],
    ['other.team.svc:443', 'team'],
    ['a.b.team.svc:443', 'team'],
    ['other.test:8443', 'port'],
    ['plain.test:443', 'plain'],
    ['plain.test:444', 'any'],
    ['one.suffix.test', 'suffix'],
    ['127.0.0.1:9', 'any'],
  ])('gives %s the user %s', (host, expected) => {
    const credentials = read({
      'hook.team.svc:443': token('exact'),
      '*.team.svc:443': token('team'),
      '*.test:8443': token('port'),
      'plain.test': token('plain'),
      '*.suffix.test': token('suffix'),
      '*': token('any'),
    });
    expect(credentials(host)).toMatchObject({ token: expected });
  });

  it('falls back to the user of the current context, then to none', () => {
    const contexts = [{ name: 'x', context: { user: 'me' } }];
    const current = { contexts, 'current-context': 'x' };
    expect(read({ me: token('mine') }, current)('a.test')).toMatchObject({ token: 'mine' });
    expect(read({ me: token('mine') }, { contexts })('a.test')).toBeUndefined();
  });

  it('reads certificates, passwords and token files', () => {
    const data = (text: string) => Buffer.from(text).toString('base64');
    const credentials = read({
      'a:1': { 'client-certificate-data': data('CERT'), 'client-key-data': data('KEY') },
      'b:1': { username: 'u', password: 'p' },
      'c:1': { tokenFile: 'token' },
    });
    expect(credentials('a:1')).toEqual({ server: 'https://a:1', certificate: 'CERT', key: 'KEY' });
    expect(credentials('b:1')).toEqual({ server: 'https://b:1', username: 'u', password: 'p' });
    expect(credentials('c:1')).toEqual({ server: 'https://c:1', tokenFile: join(directory, 'token') });
  });

  it('refuses credentials that it does not support, and repeated names', () => {
    expect(() => read({ a: { exec: { command: 'c' } } })).toThrow('user.exec is not supported');
    expect(() => read({}, { users: [{ name: 'a' }, { name: 'a' }] })).toThrow('duplicate name "a"');
    expect(() => readWebhookCredentials('/absent')).toThrow('stat /absent: no such file or directory');
  });

  it('treats __proto__ as a name', () => {
    expect(read({ '*': token('any') })('__proto__')).toMatchObject({ token: 'any' });
  });
});
