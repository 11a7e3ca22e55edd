import type { Declarations } from '../declare.ts';
import type { Life } from '../life.ts';

/** A declaration file that is loaded with the first scheme that has its types. */
export interface LaterDeclarations extends Life {
  load(): Promise<{ readonly default: Declarations }>;
}

/** The declaration files of types that came after release 1.32, each with the life that it declares. */
export const laterDeclarations: readonly LaterDeclarations[] = [
  { since: '1.36', load: () => import('./admissionregistration-v1-mutating.ts') },
  { since: '1.34', load: () => import('./admissionregistration-v1beta1-mutating.ts') },
  { since: '1.37', load: () => import('./certificates-v1-pods.ts') },
  { since: '1.33', load: () => import('./certificates-v1beta1.ts') },
  { since: '1.33', load: () => import('./coordination-v1beta1.ts') },
  { since: '1.37', load: () => import('./lifecycle-v1alpha1.ts') },
  { since: '1.33', load: () => import('./networking-v1-addresses.ts') },
  { since: '1.34', load: () => import('./resource-v1.ts') },
  { since: '1.33', load: () => import('./resource-v1alpha3-pools.ts') },
  { since: '1.33', load: () => import('./resource-v1beta2.ts') },
  { since: '1.35', until: '1.36', load: () => import('./scheduling-v1alpha1.ts') },
  { since: '1.36', until: '1.37', load: () => import('./scheduling-v1alpha2.ts') },
  { since: '1.37', load: () => import('./scheduling-v1alpha3.ts') },
  { since: '1.37', load: () => import('./scheduling-v1beta1.ts') },
  { since: '1.37', load: () => import('./storagemigration-v1.ts') },
  { since: '1.35', load: () => import('./storagemigration-v1beta1.ts') },
];
