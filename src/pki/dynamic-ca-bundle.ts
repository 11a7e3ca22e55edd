import { once } from '../collections/once.ts';
import { reloadOnChange } from '../files/file-watch.ts';
import { readTextFile } from '../files/files.ts';
import type { Logger } from '../observability/log.ts';
import { readCaBundleFile } from './ca-bundle-file.ts';
import { type Certificate, parseCaBundle } from './certificate.ts';

export interface DynamicCaBundleOptions {
  /** File from a flag; empty: none. */
  readonly file: string;
  /** The bundle's name in kube-apiserver, for messages. */
  readonly purpose: 'client-ca-bundle' | 'request-header';
  /**
   * Returns the CA certificates that are always part of the bundle, each as PEM of this server; called when they are
   * first needed.
   */
  readonly fixed: () => readonly string[];
  /** Called when the bundle has changed. */
  readonly onChange?: () => void;
  readonly logger: Logger;
}

/** A CA bundle that follows its file. */
export interface DynamicCaBundle {
  /** The current certificates: the same array until they change. */
  readonly authorities: () => readonly Certificate[];
  /** The certificates to publish, as PEM without duplicates: those of the file, else the fixed ones. */
  readonly bundle: () => readonly string[];
  stop(): void;
}

/**
 * Reads a CA bundle and reloads it when its file changes. When a reload fails, the previous bundle stays in
 * use.
 * @throws ConfigurationError when the file cannot be read at start
 */
export function createDynamicCaBundle({
  file,
  purpose,
  fixed: readFixed,
  onChange,
  logger,
}: DynamicCaBundleOptions): DynamicCaBundle {
  const fixed = once(() => readFixed().flatMap((pem) => parseCaBundle(pem, file)));
  if (file === '') return { authorities: fixed, bundle: once(readFixed), stop: () => undefined };
  const certificatesOf = (pems: readonly string[]): readonly Certificate[] => [
    ...fixed(),
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
      logger.info('reloaded client CA bundle', { file, count: bundle.length });
      onChange?.();
    } catch (error) {
      logger.error('failed to reload client CA bundle; keeping the previous one', { file, err: error });
    }
  };
  return {
    authorities: () => current,
    bundle: () => [...new Set(bundle)],
    stop: reloadOnChange({ files: [file], reload }),
  };
}
