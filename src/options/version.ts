/** The implemented Kubernetes release. */
export const KUBERNETES_VERSION = 'v1.32.13';
export const KUBERNETES_MAJOR = '1';
export const KUBERNETES_MINOR = '32';

/** The version of this product, set by the build. */
export const PRODUCT_VERSION = process.env.BINNACLE_VERSION ?? '0.0.0-development';

/** Returns the output of `--version`. */
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
