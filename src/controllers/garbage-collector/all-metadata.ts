import { parseApiVersion } from '../../model/object.ts';
import type { RemoteKinds } from '../remote-kinds.ts';
import type { Kind, MetadataListener, MetadataSource, StoredMetadata } from './objects.ts';
import type { RemoteMetadata } from './remote-metadata.ts';

/** The metadata of the objects of this server and of extension servers. */
export class AllMetadata implements MetadataSource {
  readonly #stored: MetadataSource;
  readonly #remote: RemoteMetadata;
  readonly #kinds: RemoteKinds;

  constructor(stored: MetadataSource, remote: RemoteMetadata, kinds: RemoteKinds) {
    this.#stored = stored;
    this.#remote = remote;
    this.#kinds = kinds;
  }

  get synced(): Promise<void> {
    return this.#stored.synced;
  }

  start(): void {
    this.#stored.start();
    this.#remote.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#stored.stop(), this.#remote.stop()]);
  }

  listen(listener: MetadataListener): void {
    this.#stored.listen(listener);
    this.#remote.listen(listener);
  }

  /** A version of an extension server is not looked for in this server, which may have objects of it too. */
  findKind(apiVersion: string, kind: string): Kind | undefined {
    const parsed = parseApiVersion(apiVersion);
    const isRemote = parsed !== undefined && this.#kinds.isRemote(parsed.group, parsed.version);
    const source = isRemote ? this.#remote : this.#stored;
    return source.findKind(apiVersion, kind);
  }

  read(kind: Kind, namespace: string, name: string): Promise<StoredMetadata | undefined> {
    return (kind.isRemote === true ? this.#remote : this.#stored).read(kind, namespace, name);
  }

  async isAnywhere(kind: Kind, name: string, uid: string): Promise<boolean> {
    return kind.isRemote === true
      ? this.#remote.isAnywhere(kind, uid)
      : this.#stored.isAnywhere(kind, name, uid);
  }
}
