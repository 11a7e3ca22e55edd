import type { IssuerDocuments } from '../../authentication/service-account/index.ts';
import { once } from '../../collections/once.ts';
import type { Handler } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import { jsonText, requireAccepted, send } from '../response/answer.ts';
import { documentRoutes } from './path-table.ts';

const CACHED_FOR_AN_HOUR = 'public, max-age=3600';

/**
 * Serves OpenID discovery and the key set, with which other parties verify service account tokens. Each
 * document has one media type.
 */
export function issuerPaths(documents: () => IssuerDocuments): [path: string, handler: Handler][] {
  const serve = (document: () => object, mediaType: string): Handler => {
    const body = once(() => jsonText(document()));
    return (context) => {
      if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
      requireAccepted(context, mediaType);
      context.exchange.setHeader('cache-control', CACHED_FOR_AN_HOUR);
      return send(context, 200, mediaType, body());
    };
  };
  return [
    ...documentRoutes(
      '/.well-known/openid-configuration',
      serve(() => documents().configuration, 'application/json'),
    ),
    ...documentRoutes(
      '/openid/v1/jwks',
      serve(() => documents().keySet, 'application/jwk-set+json'),
    ),
  ];
}
