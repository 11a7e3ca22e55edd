import type { IssuerDocuments } from '../authentication/service-account/index.ts';
import type { Configuration } from '../config/options.ts';
import type { Listener } from '../connection/listener.ts';
import { issuerPaths } from '../handlers/issuer.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { Storage } from '../storage/storage.ts';
import type { ServerOperation } from './operation.ts';
import { PathTable } from './paths.ts';

export interface PathOptions {
  readonly configuration: Configuration;
  readonly registry: Registry;
  readonly storage: Storage;
  readonly operation: ServerOperation;
  readonly documents: IssuerDocuments;
  readonly listener: Listener;
  readonly logger: Logger;
}

/** Every path that is no resource. */
export function createPaths({ operation, documents }: PathOptions): PathTable {
  const table = new PathTable();
  for (const [path, handler] of [...operation.paths(), ...issuerPaths(documents)]) table.add(path, handler);
  return table;
}
