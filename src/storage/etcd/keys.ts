import { prefixEnd } from '../storage.ts';

/** Root of the keys of the storage port. */
const ROOT = '/registry';
/** Below the prefix: values that are not objects of the API, and have no uid. */
const WITHOUT_UID = ['/ranges/', '/masterleases/'];

/** Translates keys of the storage port to keys of etcd: another prefix instead of `/registry`. */
export class KeyMapper {
  readonly #same: boolean;

  /**
   * @param prefix of the keys in etcd, without a slash at its end (`--etcd-prefix`)
   * @param rootKey prefix of the keys of the port that it replaces
   */
  constructor(
    readonly prefix: string,
    /** Of the keys of the port. */
    readonly rootKey: string = ROOT,
  ) {
    this.#same = prefix === rootKey;
  }

  toEtcd(key: string): string {
    return this.#same ? key : this.prefix + key.slice(this.rootKey.length);
  }

  /** Whether values of a key contain a uid. @param key as etcd has it, below the prefix */
  hasUid(key: string): boolean {
    return !WITHOUT_UID.some((part) => key.startsWith(part, this.prefix.length));
  }

  /** The exclusive end of a range; '' means all keys. */
  endToEtcd(end: string): string {
    return end === '' ? prefixEnd(`${this.prefix}/`) : this.toEtcd(end);
  }

  fromEtcd(key: string): string {
    return this.#same ? key : this.rootKey + key.slice(this.prefix.length);
  }
}

/** The prefix of a flag value: one slash in front, none at the end. */
export function cleanPrefix(text: string): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '' : `/${parts.join('/')}`;
}
