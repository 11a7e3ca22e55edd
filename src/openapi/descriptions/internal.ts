/** Kinds of the group internal.apiserver.k8s.io. */
export const INTERNAL: Readonly<Record<string, string>> = {
  StorageVersion: 'Storage versions of a resource by API server.',
  StorageVersionSpec: 'Always empty: a storage version has only a status.',
  StorageVersionStatus: 'Versions in which the servers of the cluster encode and decode a resource.',
  'StorageVersionStatus.storageVersions': 'The versions that each server of the control plane reported.',
  'StorageVersionStatus.commonEncodingVersion':
    'Version in which all servers write the resource. Absent when they differ.',
  'StorageVersionStatus.conditions':
    'AllEncodingVersionsEqual tells whether all servers write the same version.',
  StorageVersionCondition: 'State of a storage version at its last change.',
  'StorageVersionCondition.type': 'AllEncodingVersionsEqual.',
  ServerStorageVersion: 'Versions that one API server writes, reads and serves.',
  'ServerStorageVersion.apiServerID': 'Identity of the API server.',
  'ServerStorageVersion.encodingVersion':
    'Version in which the server writes objects to the store, such as apps/v1.',
  'ServerStorageVersion.decodableVersions': 'Versions that the server can read from the store.',
  'ServerStorageVersion.servedVersions':
    'Versions that the server offers to clients; each is among decodableVersions.',
};
