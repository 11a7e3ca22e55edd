import type { DescribedRelease, Operation, Path, Schema } from './document.ts';
import { capitalized, groupWord, tagWord } from './words.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
export const VERSION_INFO = 'io.k8s.apimachinery.pkg.version.Info';

/** Fields of the version document, all required strings. */
const VERSION_FIELDS = [
  'major',
  'minor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
];

/** Texts of the members of the version document. */
const VERSION_TEXTS: Readonly<Record<string, string>> = {
  major: 'Major version of Kubernetes that the server implements.',
  minor: 'Minor version of Kubernetes that the server implements.',
  gitVersion: 'Complete version as a semantic version with the letter v before it.',
  gitCommit: 'Commit from which the server was built; may be empty.',
  gitTreeState: 'Whether the sources had changes that were not committed: clean or dirty.',
  buildDate: 'Time of the build in RFC 3339 format.',
  goVersion: 'Version of the language or runtime with which the server was built.',
  compiler: 'Compiler or runtime of the server.',
  platform: 'Operating system and architecture on which the server runs, such as linux/amd64.',
  emulationMajor: 'Major version whose behavior the server emulates.',
  emulationMinor: 'Minor version whose behavior the server emulates.',
  minCompatibilityMajor: 'Major version of the oldest release with which the server can share its data.',
  minCompatibilityMinor: 'Minor version of the oldest release with which the server can share its data.',
};

export function versionSchema(withDefaults: boolean, { optionalVersionMembers }: DescribedRelease): Schema {
  const properties = Object.fromEntries(
    [...VERSION_FIELDS, ...optionalVersionMembers].sort().map((name) => [
      name,
      {
        description: VERSION_TEXTS[name],
        type: 'string',
        ...(withDefaults && VERSION_FIELDS.includes(name) ? { default: '' } : {}),
      },
    ]),
  );
  return {
    description: 'Version information of a server.',
    type: 'object',
    required: VERSION_FIELDS,
    properties,
  };
}

function only(path: string, operation: Omit<Operation, 'method' | 'parameters'>): Path {
  return { path, parameters: [], operations: [{ method: 'get', parameters: [], ...operation }] };
}

/** The path of the discovery documents. */
export function apiPath(mediaTypes: readonly string[]): Path {
  return only('/api/', {
    id: 'getCoreAPIVersions',
    tag: 'core',
    description: 'get available API versions',
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [[200, { schema: `${META}APIVersions` }]],
  });
}

export function apisPath(mediaTypes: readonly string[]): Path {
  return only('/apis/', {
    id: 'getAPIVersions',
    tag: 'apis',
    description: 'get available API versions',
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [[200, { schema: `${META}APIGroupList` }]],
  });
}

export function groupPath(group: string, mediaTypes: readonly string[]): Path {
  return only(`/apis/${group}/`, {
    id: `get${groupWord(group)}APIGroup`,
    tag: tagWord(group),
    description: 'get information of a group',
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [[200, { schema: `${META}APIGroup` }]],
  });
}

export function groupVersionPath(
  root: string,
  group: string,
  version: string,
  mediaTypes: readonly string[],
): Path {
  return only(`${root}/`, {
    id: `get${groupWord(group)}${capitalized(version)}APIResources`,
    tag: `${tagWord(group)}_${version}`,
    description: 'get available resources',
    consumes: mediaTypes,
    produces: mediaTypes,
    responses: [[200, { schema: `${META}APIResourceList` }]],
  });
}

const JSON_ONLY = ['application/json'];

export const VERSION_PATH = only('/version/', {
  id: 'getCodeVersion',
  tag: 'version',
  description: 'get the version information for this server',
  consumes: JSON_ONLY,
  produces: JSON_ONLY,
  responses: [[200, { schema: VERSION_INFO }]],
});
export const ISSUER_PATH = only('/.well-known/openid-configuration/', {
  id: 'getServiceAccountIssuerOpenIDConfiguration',
  tag: 'WellKnown',
  description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
  consumes: undefined,
  produces: JSON_ONLY,
  responses: [[200, 'text']],
});
export const KEY_SET_PATH = only('/openid/v1/jwks/', {
  id: 'getServiceAccountIssuerOpenIDKeyset',
  tag: 'openid',
  description: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
  consumes: undefined,
  produces: ['application/jwk-set+json'],
  responses: [[200, 'text']],
});
