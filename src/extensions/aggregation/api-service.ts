import type { CacheRecord } from '../../cache/record.ts';
import { parseJson } from '../../codec/json-parse.ts';
import type { APIService, APIServiceCondition } from '../../model/generated/apiregistration-v1.ts';
import { apiRootOf } from '../../model/object.ts';
import { wrapDecodeError } from '../../resources/corrupt-object.ts';

/** The Service of an extension server. */
export interface BackendService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** What routing, discovery and the availability checks need of an APIService. */
export interface RegisteredVersion {
  /** `<version>.<group>` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** The Service that serves the version; undefined: this server does. */
  readonly service: BackendService | undefined;
  /** CA bundle of the extension server, PEM in base64; empty: the system's CAs. */
  readonly caBundle: string;
  readonly insecureSkipTLSVerify: boolean;
  readonly conditions: readonly APIServiceCondition[];
}

const DEFAULT_PORT = 443;

/** What stored bytes say: clusters that were forked from one another have the same bytes. */
const known = new WeakMap<Uint8Array, RegisteredVersion>();

/** Reads the stored bytes of an APIService. @throws CorruptObjectError */
export function readRegisteredVersion({ key, value, corruption }: CacheRecord): RegisteredVersion {
  if (corruption !== undefined) throw corruption;
  let version = known.get(value);
  if (version === undefined) {
    version = summarize(wrapDecodeError(key, value, () => parseJson(value).value) as APIService);
    known.set(value, version);
  }
  return version;
}

/** Summarizes an APIService. */
export function summarize({ metadata, spec = {}, status = {} }: APIService): RegisteredVersion {
  const { namespace = '', name = '', port = DEFAULT_PORT } = spec.service ?? {};
  return {
    name: metadata?.name ?? '',
    group: spec.group ?? '',
    version: spec.version ?? '',
    groupPriorityMinimum: spec.groupPriorityMinimum ?? 0,
    versionPriority: spec.versionPriority ?? 0,
    service: spec.service === undefined ? undefined : { namespace, name, port },
    caBundle: spec.caBundle ?? '',
    insecureSkipTLSVerify: spec.insecureSkipTLSVerify ?? false,
    conditions: status.conditions ?? [],
  };
}

/** Whether the last check found the extension server available. */
export const isAvailable = ({ conditions }: RegisteredVersion): boolean =>
  conditions.some(({ type, status }) => type === 'Available' && status === 'True');

/** The path at which a server describes a version: `/apis/<group>/<version>`. */
export const discoveryPath = ({ group, version }: Pick<RegisteredVersion, 'group' | 'version'>): string =>
  apiRootOf(group, version);

/** How the certificate of an extension server is verified. */
export const serverVerification = ({
  caBundle,
  insecureSkipTLSVerify,
}: RegisteredVersion): { readonly insecure: boolean; readonly caBundle?: string } => ({
  insecure: insecureSkipTLSVerify,
  ...(caBundle === '' ? {} : { caBundle: Buffer.from(caBundle, 'base64').toString('latin1') }),
});
