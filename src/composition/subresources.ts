import type { TokenRequestOptions } from '../authentication/service-account/index.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import type { RowHandler } from './virtual.ts';

export interface SubresourceOptions {
  readonly environment: HandlerEnvironment;
  readonly tokens: TokenRequestOptions;
}

/** Subresources that are not the object itself, by `group/resource/subresource`. */
export function subresourceHandlers(_options: SubresourceOptions): Map<string, RowHandler> {
  return new Map();
}
