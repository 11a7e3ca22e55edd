import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { loadServiceAccountKeys } from '../../src/composition/service-account-keys.ts';
import { certificateFor, isHostName, loadTlsMaterial } from '../../src/composition/serving-certificates.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import { readTlsSettings } from '../../src/options/tls-settings.ts';
import { readCaBundleFile } from '../../src/pki/ca-bundle-file.ts';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';
import { configuration, temporaryDirectory } from '../options/fixtures.ts';

const NOW = new Date();
const LATER = new Date(NOW.getTime() + 86_400_000);
const COMPANY = createAuthority({ commonName: 'company' }, NOW, LATER);

/** Writes a certificate and key and returns their paths. */
function pair(
  directory: string,
  name: string,
  hosts: string[],
): { certificateFile: string; keyFile: string; certificate: string } {
  const { certificate, key } = issueCertificate(COMPANY, {
    subject: { commonName: name },
    usage: 'server',
    hosts,
    validFrom: NOW,
    validTo: LATER,
  });
  const [certificateFile, keyFile] = [join(directory, `${name}.crt`), join(directory, `${name}.pem`)];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key);
  return { certificateFile, keyFile, certificate };
}
const material = (options: ServerOptions, persist = false) =>
  loadTlsMaterial({ configuration: configuration(options), now: NOW, persist });

describe('TLS material', () => {
  it('generates a certificate for all server names', () => {
    const directory = temporaryDirectory();
    const {
      serving,
      caBundle,
      caBundleFile,
      generated: own,
    } = material(
      {
        dataDir: directory,
        bindAddress: '192.0.2.9',
        externalHostname: 'api.example.com',
        serviceClusterIpRange: '10.96.0.0/16,fd00:96::/108',
      },
      true,
    );
    const leaf = new X509Certificate(serving.certificate);
    for (const host of [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'api.example.com',
    ])
      expect(leaf.checkHost(host)).toBe(host);
    for (const address of ['127.0.0.1', '::1', '192.0.2.9', '192.0.2.1', '10.96.0.1', 'fd00:96::1'])
      expect(leaf.checkIP(address)).toBe(address);
    expect(caBundle).toBe(own.authority.certificate);
    expect(caBundleFile).toBe(join(directory, 'pki', 'ca.crt'));
  });

  it.each([
    ['a'.repeat(63), true],
    ['My_Host.example.com', true],
    ['a'.repeat(64), false],
    ['hôte', false],
    ['', false],
    [`${'a.'.repeat(127)}a`, false],
  ])('knows whether a certificate can have the host name %j: %s', (name, possible) => {
    expect(isHostName(name)).toBe(possible);
  });

  it('reads the files that flags name', () => {
    const directory = temporaryDirectory();
    const { certificateFile, keyFile, certificate } = pair(directory, 'given', ['given.example.com']);
    expect(material({ tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile })).toMatchObject({
      serving: { certificate },
      caBundle: certificate,
      caBundleFile: certificateFile,
    });
  });

  it('reports unusable files in one line', () => {
    const directory = temporaryDirectory();
    const [one, two] = [pair(directory, 'one', []), pair(directory, 'two', [])];
    const refused = (options: ServerOptions) => expect(() => material(options));
    refused({ tlsCertFile: '/absent', tlsPrivateKeyFile: one.keyFile }).toThrow(
      'open /absent: no such file or directory',
    );
    refused({ tlsCertFile: one.certificateFile, tlsPrivateKeyFile: two.keyFile }).toThrow(
      'tls: private key does not match public key',
    );
    refused({ tlsCertFile: one.keyFile, tlsPrivateKeyFile: one.keyFile }).toThrow(
      'tls: failed to find any PEM data in certificate input',
    );
    refused({ tlsSniCertKey: ['one'] }).toThrow('expected comma separated certificate and key file paths');
    refused({ tlsMinVersion: 'VersionTLS9' }).toThrow('unknown tls version "VersionTLS9"');
    refused({ tlsCipherSuites: ['NOPE'] }).toThrow("Cipher suite NOPE not supported or doesn't exist");
    expect(() => readCaBundleFile('client-ca-bundle', join(directory, 'absent'))).toThrow(
      `open ${directory}/absent: no such file or directory`,
    );
    writeFileSync(join(directory, 'bad.pem'), 'nonsense');
    expect(() => readCaBundleFile('client-ca-bundle', join(directory, 'bad.pem'))).toThrow(
      `error loading CA bundle for "client-ca-bundle::${directory}/bad.pem": data does not contain any valid RSA or ECDSA certificates`,
    );
  });

  it('reads every certificate of a client CA file', () => {
    const file = join(temporaryDirectory(), 'bundle.pem');
    const second = createAuthority({ commonName: 'second' }, NOW, LATER);
    writeFileSync(file, `some text\n${COMPANY.certificate}\n${second.certificate}`);
    expect(readCaBundleFile('client-ca-bundle', file)).toEqual([COMPANY.certificate, second.certificate]);
  });

  it('selects by SNI: explicit names first, exact matches before wildcards', () => {
    const directory = temporaryDirectory();
    const text = ({ certificateFile, keyFile }: { certificateFile: string; keyFile: string }) =>
      `${certificateFile},${keyFile}`;
    const [wild, exact, byHand] = [
      pair(directory, 'wild', ['*.example.com']),
      pair(directory, 'exact', ['a.example.com', 'b.example.com']),
      pair(directory, 'hand', ['other.test']),
    ];
    const { named } = material({
      tlsSniCertKey: [text(wild), text(exact), `${text(byHand)}:b.example.com,*.test`],
    });
    const chosen = (name: string) => certificateFor(named, name)?.certificate;
    expect(chosen('A.example.com')).toBe(exact.certificate);
    expect(chosen('b.example.com')).toBe(byHand.certificate);
    expect(chosen('c.example.com')).toBe(wild.certificate);
    expect(chosen('x.test')).toBe(byHand.certificate);
    expect(chosen('x.c.example.com')).toBeUndefined();
    expect(chosen('localhost')).toBeUndefined();
  });

  it('maps cipher suites to OpenSSL names', () => {
    const { minVersion, ciphers } = readTlsSettings('VersionTLS12', [
      'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
    ]);
    expect(minVersion).toBe('TLSv1.2');
    expect(ciphers).toContain('ECDHE-RSA-AES128-GCM-SHA256');
    expect(() => createSecureContext({ minVersion, ciphers })).not.toThrow();
    expect(readTlsSettings('', [])).toEqual({ minVersion: 'TLSv1.2', ciphers: undefined });
  });
});

describe('service account keys', () => {
  it('are generated once and stored', () => {
    const dataDir = temporaryDirectory();
    const [first, second] = [
      loadServiceAccountKeys(configuration({ dataDir }), true),
      loadServiceAccountKeys(configuration({ dataDir }), true),
    ];
    expect(first.signing.equals(second.signing)).toBe(true);
    expect(first.signing.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(first.verification).toHaveLength(1);
    expect(loadServiceAccountKeys(configuration(), false).signing.equals(first.signing)).toBe(false);
  });

  it('are read from files with private keys, public keys and certificates', () => {
    const directory = temporaryDirectory();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const signing = file('rsa.key', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }));
    const many = file(
      'many.pem',
      `${rsa.publicKey.export({ type: 'spki', format: 'pem' })}${COMPANY.certificate}`,
    );
    const keys = loadServiceAccountKeys(
      configuration({
        serviceAccountSigningKeyFile: signing,
        serviceAccountKeyFile: [many, signing],
        serviceAccountIssuer: ['https://a.test'],
      }),
      true,
    );
    expect(keys.signing.equals(rsa.privateKey)).toBe(true);
    expect(keys.verification.map((key) => `${key.type} ${key.asymmetricKeyType}`)).toEqual([
      'public rsa',
      'public ec',
      'public rsa',
    ]);
    expect(keys.verification[1]!.equals(new X509Certificate(COMPANY.certificate).publicKey)).toBe(true);
    expect(createPrivateKey(COMPANY.key).type).toBe('private');

    const options = (key: string, publicKey: string): ServerOptions => ({
      serviceAccountSigningKeyFile: key,
      serviceAccountKeyFile: [publicKey],
      serviceAccountIssuer: ['https://a.test'],
    });
    const serving = pair(temporaryDirectory(), 'serving', ['x.test']);
    const withServingKey = loadServiceAccountKeys(
      configuration({ tlsCertFile: serving.certificateFile, tlsPrivateKeyFile: serving.keyFile }),
      false,
    );
    expect(
      withServingKey.verification.map((key) =>
        key.equals(new X509Certificate(serving.certificate).publicKey),
      ),
    ).toEqual([false, true]);
    expect(() => loadServiceAccountKeys(configuration(options(file('bad', 'x'), many)), true)).toThrow(
      'failed to parse service-account-issuer-key-file',
    );
    expect(() => loadServiceAccountKeys(configuration(options(signing, file('bad', 'x'))), true)).toThrow(
      'data does not contain any valid RSA or ECDSA public keys',
    );
  });

  it('compare with a serving key of another type without a leftover OpenSSL error', () => {
    const directory = temporaryDirectory();
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    const tlsPrivateKeyFile = join(directory, 'rsa.key');
    writeFileSync(tlsPrivateKeyFile, key);
    const { verification } = loadServiceAccountKeys(
      configuration({ tlsCertFile: 'rsa.crt', tlsPrivateKeyFile }),
      false,
    );
    expect(createPrivateKey(key).asymmetricKeyType).toBe('rsa');
    expect(verification.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(['ec', 'rsa']);
  });
});
