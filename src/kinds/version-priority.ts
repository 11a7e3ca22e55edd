const KUBERNETES_VERSION = /^v([1-9]\d{0,8})(?:(alpha|beta)([1-9]\d{0,8}))?$/;
const STAGES = ['alpha', 'beta', ''];

/**
 * Compares API versions by the version priority of CustomResourceDefinitions, the preferred one first: v10,
 * v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, then other names in alphabetical order.
 */
export function compareVersions(left: string, right: string): number {
  const [one, other] = [KUBERNETES_VERSION.exec(left), KUBERNETES_VERSION.exec(right)];
  if (one === null || other === null) {
    if (one !== null || other !== null) return one !== null ? -1 : 1;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const byStage = STAGES.indexOf(other[2] ?? '') - STAGES.indexOf(one[2] ?? '');
  if (byStage !== 0) return byStage;
  return Number(other[1]) - Number(one[1]) || Number(other[3] ?? 0) - Number(one[3] ?? 0);
}

/** Returns whether a version is neither alpha nor beta. */
export const isStable = (version: string): boolean => KUBERNETES_VERSION.exec(version)?.[2] === undefined;
