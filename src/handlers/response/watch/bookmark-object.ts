import { jsonText } from '../answer.ts';
import { bookmarkMetadata } from '../bookmark-metadata.ts';
import type { ViewContext } from '../view-context.ts';

/** Returns kind and apiVersion of the objects in the stream. */
export function objectType({ resource, negotiated: { projection, metaVersion } }: ViewContext): {
  kind: string;
  apiVersion: string;
} {
  return projection === 'metadata'
    ? { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}` }
    : { kind: resource.row.kind, apiVersion: resource.apiVersion };
}

/** A bookmark's object: its metadata, and the fields that the kind always prints. */
export function bookmarkJson(view: ViewContext, revision: number, initialEnd: boolean): string {
  const metadata = bookmarkMetadata(view, revision, initialEnd);
  const { kind, apiVersion } = objectType(view);
  if (view.negotiated.projection === 'metadata') return jsonText({ kind, apiVersion, metadata });
  const { schema } = view.resource;
  return schema.writeJson(schema.fromPlain({ metadata }).value, { kind, apiVersion });
}
