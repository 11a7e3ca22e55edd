import { Span, type SpanAttributes } from '../observability/span.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { type RequestContext, whenEnded } from './context.ts';

/** Names of the handlers' spans; a watch has none, since it takes as long as its client wants. */
const HANDLERS: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

/** Runs the handler of a resource within its span, which the request refers to from then on. */
export function inHandlerSpan(context: RequestContext, run: () => MaybePromise<void>): MaybePromise<void> {
  const name = HANDLERS[context.info.verb];
  if (name === undefined) return run();
  const attributes = () => handlerAttributes(context);
  const span =
    context.span?.child(name, 'internal', attributes) ?? new Span(name, undefined, 'internal', attributes);
  context.span = span;
  return whenEnded(run, context, () => span.finish());
}

function handlerAttributes({ exchange, info, auditId }: RequestContext): SpanAttributes {
  return {
    accept: exchange.header('accept') ?? '',
    'audit-id': auditId,
    client: exchange.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol: exchange.protocol,
    resource: info.resource,
    scope: info.pathName !== '' ? 'resource' : info.namespace === '' ? 'cluster' : 'namespace',
    url: exchange.target.split('?', 1)[0]!,
    'user-agent': exchange.header('user-agent') ?? '',
    verb: exchange.method,
  };
}
