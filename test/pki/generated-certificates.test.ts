import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { loadGeneratedCertificates } from '../../src/pki/generated-certificates.ts';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';
import { temporaryDirectory } from '../options/fixtures.ts';

const NAMES = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '10.0.0.1'];
const NOW = new Date();
const DAY = 86_400_000;
const load = (directory: string | undefined, names = NAMES, now = NOW) =>
  loadGeneratedCertificates({ directory, names, now });
/** Writes a key as an earlier release did. */
const writePkcs8 = (file: string): string => {
  const text = createPrivateKey(readFileSync(file)).export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(file, text);
  return text;
};
const parsed = (pem: { certificate: string }) => new X509Certificate(pem.certificate);

describe('generated certificates', () => {
  it('form a chain with the server names and the administrator identity', () => {
    const { authority, serving, admin } = load(undefined);
    const issuer = parsed(authority);
    expect(issuer.ca).toBe(true);
    expect(issuer.verify(issuer.publicKey)).toBe(true);
    for (const leaf of [parsed(serving), parsed(admin)]) {
      expect(leaf.ca).toBe(false);
      expect(leaf.verify(issuer.publicKey)).toBe(true);
      expect(leaf.checkIssued(issuer)).toBe(true);
      expect(leaf.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    }
    expect(parsed(serving).subjectAltName).toBe(
      'DNS:localhost, DNS:kubernetes.default.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:10.0.0.1',
    );
    expect(parsed(serving).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(parsed(admin).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(parsed(admin).subject.split('\n').sort()).toEqual(['CN=kubernetes-admin', 'O=system:masters']);
  });

  it('complete a TLS handshake with client authentication', async () => {
    const { authority, serving, admin } = load(undefined);
    const server = createServer(
      {
        cert: serving.certificate,
        key: serving.key,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: 'TLSv1.3',
      },
      (socket) => {
        socket.end(
          JSON.stringify({ authorized: socket.authorized, subject: socket.getPeerCertificate().subject }),
        );
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const socket: TLSSocket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: authority.certificate,
      cert: admin.certificate,
      key: admin.key,
    });
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(socket.authorized).toBe(true);
    expect(JSON.parse(answer)).toMatchObject({
      authorized: true,
      subject: { CN: 'kubernetes-admin', O: 'system:masters' },
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('are reused after a restart and store keys with mode 0600', () => {
    const directory = join(temporaryDirectory(), 'pki');
    const first = load(directory);
    expect(load(directory)).toEqual(first);
    for (const name of ['ca', 'apiserver', 'admin']) {
      expect(statSync(join(directory, `${name}.key`)).mode & 0o777).toBe(0o600);
      expect(existsSync(join(directory, `${name}.crt`))).toBe(true);
    }
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('have keys in the form that client-go writes', () => {
    for (const { key } of Object.values(load(undefined)))
      expect(key).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  });

  it('of an earlier release get their keys rewritten', () => {
    const directory = temporaryDirectory();
    const first = load(directory);
    const files = readdirSync(directory).filter((name) => name.endsWith('.key'));
    expect(files).toHaveLength(5);
    for (const file of files) writePkcs8(join(directory, file));
    expect(load(directory)).toEqual(first);
    for (const file of files) {
      expect(readFileSync(join(directory, file), 'utf8')).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
      expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('recreate a serving certificate that lacks a name', () => {
    const directory = temporaryDirectory();
    const first = load(directory);
    const second = load(directory, [...NAMES, 'other.example.com']);
    expect(second.serving).not.toEqual(first.serving);
    expect(parsed(second.serving).checkHost('other.example.com')).toBe('other.example.com');
    expect({ ...second, serving: undefined }).toEqual({ ...first, serving: undefined });
  });

  it('renew leaf certificates within a year and the CA within ten years', () => {
    const directory = temporaryDirectory();
    const first = load(directory);
    const eleventhMonth = load(directory, NAMES, new Date(NOW.getTime() + 340 * DAY));
    expect(eleventhMonth.authority).toEqual(first.authority);
    expect(eleventhMonth.admin).not.toEqual(first.admin);
    expect(Date.parse(parsed(eleventhMonth.serving).validTo)).toBeGreaterThan(NOW.getTime() + 700 * DAY);
    const tenthYear = load(directory, NAMES, new Date(NOW.getTime() + 3640 * DAY));
    expect(tenthYear.authority).not.toEqual(first.authority);
    expect(parsed(tenthYear.serving).verify(parsed(tenthYear.authority).publicKey)).toBe(true);
  });

  it('recreate a pair with a corrupt file or a foreign key', () => {
    const directory = temporaryDirectory();
    const first = load(directory);
    writeFileSync(join(directory, 'admin.key'), 'nonsense');
    writeFileSync(join(directory, 'apiserver.key'), readFileSync(join(directory, 'ca.key')));
    const second = load(directory);
    expect(second.authority).toEqual(first.authority);
    expect(second.admin).not.toEqual(first.admin);
    expect(second.serving).not.toEqual(first.serving);
  });

  it('rename unusable files and warn about them', () => {
    const directory = temporaryDirectory();
    load(directory);
    writeFileSync(join(directory, 'admin.key'), 'nonsense');
    const warnings: string[] = [];
    loadGeneratedCertificates({
      directory,
      names: NAMES,
      now: NOW,
      warn: (message) => warnings.push(message),
    });
    expect(warnings.map((warning) => warning.slice(directory.length + 1).split(' ')[0])).toEqual([
      'admin.crt',
      'admin.key',
    ]);
    expect(readFileSync(join(directory, 'admin.key.replaced'), 'utf8')).toBe('nonsense');
    loadGeneratedCertificates({
      directory,
      names: NAMES,
      now: NOW,
      warn: (message) => warnings.push(message),
    });
    expect(warnings).toHaveLength(2);
  });

  it('never replace a foreign certificate without a key', () => {
    const directory = temporaryDirectory();
    const { certificate } = createAuthority({ commonName: 'company' }, NOW, new Date(NOW.getTime() + DAY));
    writeFileSync(join(directory, 'ca.crt'), certificate);
    expect(() => load(directory)).toThrow(
      /ca\.crt was not generated by Binnacle and \S+ca\.key is not its key: provide the key/,
    );
    expect(readFileSync(join(directory, 'ca.crt'), 'utf8')).toBe(certificate);
  });

  it('keep a foreign serving certificate', () => {
    const directory = temporaryDirectory();
    load(directory);
    const [from, to] = [new Date(NOW.getTime() - DAY), new Date(NOW.getTime() + 5 * DAY)];
    const other = issueCertificate(createAuthority({ commonName: 'company' }, from, to), {
      subject: { commonName: 'api' },
      usage: 'server',
      hosts: ['api.example.com'],
      validFrom: from,
      validTo: to,
    });
    writeFileSync(join(directory, 'apiserver.crt'), other.certificate);
    writeFileSync(join(directory, 'apiserver.key'), other.key);
    expect(load(directory).serving).toEqual(other);
    // Its key file is not ours to rewrite.
    const rewritten = writePkcs8(join(directory, 'apiserver.key'));
    expect(load(directory).serving).toEqual(other);
    expect(readFileSync(join(directory, 'apiserver.key'), 'utf8')).toBe(rewritten);
  });

  it('report an unusable directory in one line', () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(() => load(file)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: `open ${file}/ca.crt: not a directory`,
      }),
    );
  });
});

describe('issued certificates', () => {
  it('repeat the subject of their CA as issuer and support expiry after 2049', () => {
    const authority = createAuthority(
      { commonName: 'root, "quoted"', organizations: ['a', 'b'] },
      NOW,
      new Date('2061-01-02T03:04:05Z'),
    );
    const leaf = parsed(
      issueCertificate(authority, {
        subject: { commonName: 'ünïcode' },
        usage: 'client',
        validFrom: NOW,
        validTo: new Date('2055-06-07T08:09:10Z'),
      }),
    );
    expect(leaf.checkIssued(parsed(authority))).toBe(true);
    expect(leaf.validTo).toBe('Jun  7 08:09:10 2055 GMT');
    expect(leaf.toLegacyObject().subject).toMatchObject({ CN: 'ünïcode' });
  });
});
