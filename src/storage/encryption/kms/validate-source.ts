import { dns1123Subdomain } from '../../../model/name-syntax.ts';
import { type Annotations, type EncryptedObject, KEY, SEED } from './messages.ts';

/** Most bytes of the id of a key, and of an encrypted key. */
const MOST_BYTES = 1024;
const MOST_ANNOTATION_BYTES = 32 * 1024;

/** Returns the label `error` of metrics and the text, or undefined for a valid id. */
export function keyIdProblem(keyId: string): { readonly code: string; readonly text: string } | undefined {
  if (keyId === '') return { code: 'empty', text: 'keyID is empty' };
  const size = Buffer.byteLength(keyId);
  if (size <= MOST_BYTES) return undefined;
  return {
    code: 'too_long',
    text: `keyID is ${size} bytes, which exceeds the max size of ${MOST_BYTES}`,
  };
}

/** @throws Error with kube-apiserver's text */
export function validateObject({ type, data, encrypted, keyId, annotations }: EncryptedObject): void {
  if (type !== KEY && type !== SEED) throw new Error(`unknown encryptedDEKSourceType: ${type}`);
  if (data.length === 0) throw new Error('encrypted data is empty');
  if (encrypted.length === 0)
    throw new Error('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (encrypted.length > MOST_BYTES)
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${encrypted.length} bytes, which exceeds the max size of ${MOST_BYTES}`,
    );
  const problem = keyIdProblem(keyId);
  if (problem !== undefined) throw new Error(`failed to validate key id: ${problem.text}`);
  validateAnnotations(annotations);
}

function validateAnnotations(annotations: Annotations): void {
  let size = 0;
  for (const [key, value] of annotations) {
    size += Buffer.byteLength(key) + value.length;
    const problem = domainProblem(key);
    if (problem !== undefined)
      throw new Error(
        `failed to validate annotations: annotations: Invalid value: ${JSON.stringify(key)}: ${problem}`,
      );
  }
  if (size > MOST_ANNOTATION_BYTES)
    throw new Error(
      `failed to validate annotations: total size of annotations is ${size}, which exceeds the max size of ${MOST_ANNOTATION_BYTES}`,
    );
}

function domainProblem(name: string): string | undefined {
  const [problem] = dns1123Subdomain(name.endsWith('.') ? name.slice(0, -1) : name);
  if (problem !== undefined) return problem;
  return name.includes('.') ? undefined : 'should be a domain with at least two segments separated by dots';
}
