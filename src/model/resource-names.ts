import { qualifiedName } from './name-syntax.ts';

/** Whether a resource of nodes is extended: a qualified name outside of the domains of Kubernetes. */
export function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}
