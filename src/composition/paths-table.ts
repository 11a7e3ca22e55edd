import type { IssuerDocuments } from '../authentication/service-account/index.ts';
import type { Configuration } from '../config/options.ts';
import type { Listener } from '../connection/listener.ts';
import { send } from '../handlers/answer.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { Storage } from '../storage/storage.ts';
import { PathTable } from './paths.ts';

export interface PathOptions {
  readonly configuration: Configuration;
  readonly registry: Registry;
  readonly storage: Storage;
  readonly lifecycle: { readonly draining: boolean };
  readonly documents: IssuerDocuments;
  readonly listener: Listener;
  readonly logger: Logger;
}

/** Every path that is no resource. */
export function createPaths({ storage, lifecycle }: PathOptions): PathTable {
  const health = (failing: () => boolean) => async (context: Parameters<typeof send>[0]) => {
    await send(context, failing() ? 500 : 200, 'text/plain; charset=utf-8', failing() ? 'not ready' : 'ok');
  };
  return new PathTable()
    .add('/healthz', health(() => storage.health() !== undefined))
    .add('/livez', health(() => storage.health() !== undefined))
    .add('/readyz', health(() => lifecycle.draining || storage.health() !== undefined));
}
