import { reloadOnChange } from '../files/file-watch.ts';
import { readTextFile } from '../files/files.ts';
import type { Logger } from '../observability/log.ts';
import { parseCertificates, readCaBundleFile } from './ca-bundle-file.ts';
import { type Certificate, parseCaBundle } from './certificate.ts';

export interface DynamicCaBundleOptions {
  /** The file that a flag names; empty: none. */
  readonly file: string;
  /** Kubernetes' name of the bundle, for texts. */
  readonly purpose: 'client-ca-bundle' | 'request-header';
  /** PEM of authorities that hold in any case. */
  readonly fixed: readonly string[];
  /** Told when others hold. */
  readonly onChange?: () => void;
  readonly logger: Logger;
}

/** Authorities of now: the same list as long as they are the same. */
export interface DynamicCaBundle {
  readonly authorities: () => readonly Certificate[];
  /** PEM of the same authorities, each once. */
  readonly bundle: () => readonly string[];
  stop(): void;
}

/**
 * Reads authorities of clients, and again whenever their file changes. A file that can't be read, or holds
 * none, leaves those before.
 * @throws ConfigurationError when it can't be read at first
 */
export function createDynamicCaBundle({
  file,
  purpose,
  fixed: always,
  onChange,
  logger,
}: DynamicCaBundleOptions): DynamicCaBundle {
  const fixed = always.flatMap((pem) => parseCaBundle(pem, file));
  const fixedBundle = always.flatMap((pem) =>
    parseCertificates(pem).map((certificate) => certificate.toString()),
  );
  if (file === '') return { authorities: () => fixed, bundle: () => fixedBundle, stop: () => undefined };
  const certificatesOf = (pems: readonly string[]): readonly Certificate[] => [
    ...fixed,
    ...pems.flatMap((pem) => parseCaBundle(pem, file)),
  ];
  let text = readTextFile(file);
  let bundle: readonly string[] = readCaBundleFile(purpose, file);
  let current = certificatesOf(bundle);
  const reload = () => {
    try {
      const now = readTextFile(file);
      if (now === text) return;
      bundle = readCaBundleFile(purpose, file);
      current = certificatesOf(bundle);
      text = now;
      logger.info('client authorities were read again', { file, count: bundle.length });
      onChange?.();
    } catch (error) {
      logger.error('client authorities could not be read again; those before stay', { file, err: error });
    }
  };
  return {
    authorities: () => current,
    bundle: () => [...new Set([...fixedBundle, ...bundle])],
    stop: reloadOnChange({ files: [file], reload }),
  };
}
