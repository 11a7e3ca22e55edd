import { isAlive, type Life, type Minor, parseLife } from './life.ts';

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * The group versions that each release knows, served or not: `--runtime-config` may name them, and objects of each
 * can carry delete options and watch events. What stands after `@` is the life of a version.
 */
const VERSIONS: Readonly<Record<string, string>> = {
  '': 'v1',
  'admission.k8s.io': 'v1 v1beta1',
  'admissionregistration.k8s.io': 'v1 v1alpha1 v1beta1',
  'apiextensions.k8s.io': 'v1 v1beta1',
  'apiregistration.k8s.io': 'v1 v1beta1',
  apps: 'v1 v1beta1 v1beta2',
  'authentication.k8s.io': 'v1 v1alpha1 v1beta1',
  'authorization.k8s.io': 'v1 v1beta1',
  autoscaling: 'v1 v2 v2beta1@-1.36 v2beta2@-1.36',
  batch: 'v1 v1beta1',
  'certificates.k8s.io': 'v1 v1alpha1 v1beta1',
  'coordination.k8s.io': 'v1 v1alpha2 v1beta1',
  'discovery.k8s.io': 'v1 v1beta1',
  'events.k8s.io': 'v1 v1beta1',
  extensions: 'v1beta1',
  'flowcontrol.apiserver.k8s.io': 'v1 v1beta1 v1beta2 v1beta3',
  'imagepolicy.k8s.io': 'v1alpha1',
  'internal.apiserver.k8s.io': 'v1alpha1',
  'lifecycle.k8s.io': 'v1alpha1@1.37',
  'networking.k8s.io': 'v1 v1alpha1@-1.34 v1beta1',
  'node.k8s.io': 'v1 v1alpha1 v1beta1',
  policy: 'v1 v1beta1',
  'rbac.authorization.k8s.io': 'v1 v1alpha1 v1beta1',
  'resource.k8s.io': 'v1@1.34 v1alpha3 v1beta1 v1beta2@1.33',
  'scheduling.k8s.io': 'v1 v1alpha1@-1.36 v1alpha2@1.36-1.37 v1alpha3@1.37 v1beta1',
  'storage.k8s.io': 'v1 v1alpha1 v1beta1',
  'storagemigration.k8s.io': 'v1@1.37 v1alpha1@-1.35 v1beta1@1.35',
};

const EVERY_RELEASE: Life = {};

/** The group versions that a release knows, sorted. */
export function groupVersionsOf(minor: Minor): readonly GroupVersion[] {
  return Object.entries(VERSIONS).flatMap(([group, versions]) =>
    versions.split(' ').flatMap((text) => {
      const [version, life] = text.split('@') as [string, string?];
      return isAlive(life === undefined ? EVERY_RELEASE : parseLife(life), minor) ? [{ group, version }] : [];
    }),
  );
}
