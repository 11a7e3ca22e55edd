/** The Kubernetes release whose behaviour this server has. */
export const KUBERNETES_VERSION = 'v1.32.13';
export const KUBERNETES_MAJOR = '1';
export const KUBERNETES_MINOR = '32';

/** This product's own version; the build puts it in. */
export const PRODUCT_VERSION = process.env.BINNACLE_VERSION ?? '0.0.0-development';

/** What `--version` prints. */
export function versionText(form: 'text' | 'raw'): string {
  if (form === 'text') return `Binnacle ${PRODUCT_VERSION} (Kubernetes ${KUBERNETES_VERSION})`;
  const { node, uv, openssl } = process.versions;
  return JSON.stringify({
    product: 'binnacle',
    version: PRODUCT_VERSION,
    kubernetesVersion: KUBERNETES_VERSION,
    node: `v${node}`,
    uv,
    openssl,
    platform: `${process.platform}/${process.arch}`,
  });
}
