/** A kind whose objects a quota counts. */
export interface CountedKind {
  readonly group: string;
  readonly resource: string;
}

/** Identifies a kind. */
export const kindKey = ({ group, resource }: CountedKind): string => `${group}/${resource}`;

/** Core resources that quotas also count under their plain name. */
export const CORE_NAMES: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** Returns the kind that uses a quota resource. Resources that no other kind uses belong to pods. */
export function countedKind(name: string): CountedKind {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.');
    return { group: group.join('.'), resource };
  }
  if (CORE_NAMES.has(name)) return { group: '', resource: name };
  if (name.startsWith('services.')) return { group: '', resource: 'services' };
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/'))
    return { group: '', resource: 'persistentvolumeclaims' };
  return { group: '', resource: 'pods' };
}
