import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { dataPaths } from '../files/data-directory.ts';
import { readTextFile, readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import type { Configuration } from '../options/options.ts';
import { readPem } from './pem.ts';

/** Keys of service account tokens: RSA (RS256) or ECDSA on P-256, P-384, P-521 (ES256, ES384, ES512). */
export interface ServiceAccountKeys {
  readonly signing: KeyObject;
  /**
   * Public; the signing key's own and that of `--tls-private-key-file` are among them unless files were
   * named.
   */
  readonly verification: readonly KeyObject[];
}

/**
 * Reads the keys that flags name. Without any, the server's own key is used: made at the first start, kept in
 * the data directory (or in memory only when `persist` is false), so that tokens outlive restarts.
 * @throws ConfigurationError
 */
export function loadServiceAccountKeys({ values }: Configuration, persist: boolean): ServiceAccountKeys {
  const {
    serviceAccountSigningKeyFile: signingFile,
    serviceAccountKeyFile: keyFiles,
    tlsPrivateKeyFile: tlsKeyFile,
    dataDir,
  } = values;
  const signing =
    signingFile === ''
      ? ownKey(persist ? dataPaths(dataDir).serviceAccountKey : undefined)
      : readSigningKey(signingFile);
  if (keyFiles.length > 0) return { signing, verification: keyFiles.flatMap(readVerificationKeys) };
  // Tokens that the serving key signed are good where no keys are named; whether it can sign any doesn't
  // matter to serving.
  const servingKeys = tlsKeyFile === '' ? [] : publicKeysIn(readTextFile(tlsKeyFile));
  const own = createPublicKey(signing);
  return { signing, verification: [own, ...servingKeys.filter((key) => !isSameKey(key, own))] };
}

/**
 * `KeyObject.equals` of two types of keys leaves an error of OpenSSL behind, which the next operation with
 * any key then throws.
 */
function isSameKey(left: KeyObject, right: KeyObject): boolean {
  const bytes = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
  return bytes(left).equals(bytes(right));
}

function ownKey(file: string | undefined): KeyObject {
  const kept = file === undefined ? undefined : readTextFileIfPresent(file);
  if (kept !== undefined) return parseSigningKey(kept, file!);
  // ECDSA: an RSA key would cost a large part of the time to start.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (file !== undefined)
    writeFileAtomically(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  return privateKey;
}

function readSigningKey(file: string): KeyObject {
  return parseSigningKey(readTextFile(file), file);
}

function parseSigningKey(text: string, file: string): KeyObject {
  const key = firstKey(
    readPem(text)
      .filter(({ label }) => label.endsWith('PRIVATE KEY'))
      .map(
        ({ text: block }) =>
          () =>
            createPrivateKey(block),
      ),
  );
  if (key === undefined)
    throw new ConfigurationError(
      `failed to parse service-account-issuer-key-file: data does not contain a valid RSA or ECDSA private key: ${file}`,
    );
  return key;
}

function firstKey(candidates: readonly (() => KeyObject)[]): KeyObject | undefined {
  for (const candidate of candidates) {
    const key = usableKey(candidate);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Public keys, private keys and certificates of a file, each as a public key. */
function readVerificationKeys(file: string): KeyObject[] {
  const keys = publicKeysIn(readTextFile(file));
  if (keys.length === 0)
    throw new ConfigurationError(
      `error reading public key file ${file}: data does not contain any valid RSA or ECDSA public keys`,
    );
  return keys;
}

function publicKeysIn(text: string): KeyObject[] {
  return readPem(text)
    .map(({ text: block }) => usableKey(() => createPublicKey(block)))
    .filter((key) => key !== undefined);
}

function usableKey(make: () => KeyObject): KeyObject | undefined {
  try {
    const key = make();
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}
