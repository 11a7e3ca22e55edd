import { ConfigurationError } from '../errors/configuration-error.ts';
import { KUBECONFIG_MARK } from '../files/data-directory.ts';
import { readTextFileIfPresent, writeFileAtomically } from '../files/files.ts';
import type { KeyedCertificate } from '../pki/issue-certificate.ts';

/** The contents of a kubeconfig. */
export interface KubeconfigContent {
  /** `https://host:port` */
  readonly server: string;
  /** PEM of the CA bundle. */
  readonly caBundle: string;
  readonly client: KeyedCertificate;
}

/** The name of cluster, user and context. */
const NAME = 'binnacle';

/** Formats an admin kubeconfig. */
export function kubeconfigText({ server, caBundle, client }: KubeconfigContent): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return `${KUBECONFIG_MARK}
apiVersion: v1
kind: Config
clusters:
- name: ${NAME}
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(caBundle)}
users:
- name: ${NAME}
  user:
    client-certificate-data: ${base64(client.certificate)}
    client-key-data: ${base64(client.key)}
contexts:
- name: ${NAME}
  context:
    cluster: ${NAME}
    user: ${NAME}
current-context: ${NAME}
`;
}

/**
 * Writes the kubeconfig atomically, readable by its owner only; skips an identical file.
 * @throws ConfigurationError if the file was not written by this server, or cannot be written
 */
export function writeKubeconfig(file: string, content: KubeconfigContent): void {
  const text = kubeconfigText(content);
  const present = readTextFileIfPresent(file);
  if (present === text) return;
  if (present !== undefined && present.trim() !== '' && !present.startsWith(KUBECONFIG_MARK)) {
    throw new ConfigurationError(
      `${file} exists and was not written by Binnacle: choose another file with --kubeconfig-out, or remove it`,
    );
  }
  writeFileAtomically(file, text, 0o600);
}

/** The URL for local clients of an address that the server listens on. */
export function localUrl(address: string, port: number): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
