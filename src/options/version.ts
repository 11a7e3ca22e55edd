import type { Release } from '../model/scheme.ts';
/** The version of this product, set by the build. */
export const PRODUCT_VERSION = process.env.BINNACLE_VERSION ?? '0.0.0-development';

/** Returns the output of `--version`. */
export function versionText(form: 'text' | 'raw', { gitVersion }: Release): string {
  if (form === 'text') return `Binnacle ${PRODUCT_VERSION} (Kubernetes ${gitVersion})`;
  const { node, uv, openssl } = process.versions;
  return JSON.stringify({
    product: 'binnacle',
    version: PRODUCT_VERSION,
    kubernetesVersion: gitVersion,
    node: `v${node}`,
    uv,
    openssl,
    platform: `${process.platform}/${process.arch}`,
  });
}
