import { X509Certificate } from 'node:crypto';
import { explicitTag, readChildren, readElement, readObjectIdentifier, TAG } from './der.ts';
import { readPem } from './pem.ts';

/** `[3] EXPLICIT Extensions` of TBSCertificate. */
const EXTENSIONS_TAG = explicitTag(3);

/** A certificate with the parts that chain verification needs and `X509Certificate` does not expose. */
export interface Certificate {
  readonly x509: X509Certificate;
  /** Milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly signatureAlgorithm: string;
  readonly extensions: ReadonlyMap<string, { readonly critical: boolean; readonly value: Buffer }>;
}

export const EXTENSION = {
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
} as const;

/** @throws Error for bytes that are not a certificate */
export function readCertificate(source: Buffer | string): Certificate {
  const x509 = new X509Certificate(source);
  const [body, algorithm] = readChildren(readElement(x509.raw, 0).content);
  const extensions = new Map<string, { critical: boolean; value: Buffer }>();
  const block = readChildren(body!.content).find(({ tag }) => tag === EXTENSIONS_TAG);
  for (const { content } of block === undefined ? [] : readChildren(readElement(block.content, 0).content)) {
    const parts = readChildren(content);
    const critical = parts[1]?.tag === TAG.boolean && parts[1].content[0] !== 0;
    extensions.set(readObjectIdentifier(parts[0]!.content), { critical, value: parts.at(-1)!.content });
  }
  return {
    x509,
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
    signatureAlgorithm: readObjectIdentifier(readElement(algorithm!.content, 0).content),
    extensions,
  };
}

/** Maximum number of intermediate certificates below this one (`pathLenConstraint`); undefined: no limit. */
export function pathLength({ extensions }: Certificate): number | undefined {
  const constraints = extensions.get(EXTENSION.basicConstraints);
  if (constraints === undefined) return undefined;
  const length = readChildren(readElement(constraints.value, 0).content).find(
    ({ tag }) => tag === TAG.integer,
  );
  return length === undefined ? undefined : length.content.readUIntBE(0, Math.min(length.content.length, 6));
}

/**
 * The certificates of a CA bundle (`--client-ca-file`).
 * @throws Error for a bundle without certificates or with an unreadable one: the server must not start
 */
export function parseCaBundle(pem: string, path: string): readonly Certificate[] {
  const blocks = readPem(pem).filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length === 0)
    throw new Error(
      `unable to load client CA file ${JSON.stringify(path)}: data does not contain any valid RSA or ECDSA certificates`,
    );
  try {
    return blocks.map(({ bytes }) => readCertificate(bytes));
  } catch (error) {
    throw new Error(`unable to load client CA file ${JSON.stringify(path)}: ${(error as Error).message}`);
  }
}
