import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from '../collections/once.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { dataPaths } from '../files/data-directory.ts';
import { readTextFile, readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { readPem } from '../pki/pem.ts';
import { writePrivateKey } from '../pki/private-key.ts';

/** Keys of service account tokens: RSA (RS256) or ECDSA on P-256, P-384, P-521 (ES256, ES384, ES512). */
export interface ServiceAccountKeys {
  readonly signing: KeyObject;
  /**
   * Public keys. Without key files: those of the signing key and of `--tls-private-key-file`.
   */
  readonly verification: readonly KeyObject[];
}

/** The options of the keys of service account tokens. */
export type SigningKeyOptions = OptionSlice<
  'dataDir' | 'serviceAccountKeyFile' | 'serviceAccountSigningKeyFile' | 'tlsPrivateKeyFile'
>;

/**
 * The keys of a cluster, which stay when it starts again from the state of its store, so that its tokens do too. Those
 * that are in memory only are generated when they are first needed.
 */
export const serviceAccountKeysOf = (
  configuration: Configuration<SigningKeyOptions>,
): (() => ServiceAccountKeys) =>
  once(() => loadServiceAccountKeys(configuration, configuration.storageBackend !== 'memory'));

/**
 * Reads the keys that flags name. Without them a key is generated at the first start and stored in the data
 * directory, so that tokens stay valid over restarts; `persist: false` keeps it in memory.
 * @throws ConfigurationError
 */
export function loadServiceAccountKeys(
  { values }: Configuration<SigningKeyOptions>,
  persist: boolean,
): ServiceAccountKeys {
  const {
    serviceAccountSigningKeyFile: signingFile,
    serviceAccountKeyFile: keyFiles,
    tlsPrivateKeyFile: tlsKeyFile,
    dataDir,
  } = values;
  const signing =
    signingFile === ''
      ? generatedKey(persist ? dataPaths(dataDir).serviceAccountKey : undefined)
      : readSigningKey(signingFile);
  if (keyFiles.length > 0) return { signing, verification: keyFiles.flatMap(readVerificationKeys) };
  // Without key files, tokens signed with the serving key are accepted; a serving key of another type is
  // skipped.
  const servingKeys = tlsKeyFile === '' ? [] : publicKeysIn(readTextFile(tlsKeyFile));
  const own = createPublicKey(signing);
  return { signing, verification: [own, ...servingKeys.filter((key) => !isSameKey(key, own))] };
}

/**
 * Compares the encodings: `KeyObject.equals` on two key types leaves an OpenSSL error behind that the next
 * operation throws.
 */
function isSameKey(left: KeyObject, right: KeyObject): boolean {
  const bytes = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
  return bytes(left).equals(bytes(right));
}

function generatedKey(file: string | undefined): KeyObject {
  const kept = file === undefined ? undefined : readTextFileIfPresent(file);
  if (kept !== undefined) return parseSigningKey(kept, file!);
  // ECDSA: generating an RSA key would take a large part of the start-up time.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (file !== undefined) writeFileAtomically(file, writePrivateKey(privateKey), 0o600);
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

/** The public keys of a file's public keys, private keys and certificates. */
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

function usableKey(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse();
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}
