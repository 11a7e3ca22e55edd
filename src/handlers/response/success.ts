import type { RequestContext } from '../../request/context.ts';
import { negotiateRequest, sendPlain, servedEncodings } from './answer.ts';

/** Sends the Status of an action without a resulting object: bindings and evictions. */
export async function sendSuccess(context: RequestContext, code: number): Promise<void> {
  const negotiated = negotiateRequest(context, { encodings: servedEncodings(context), projections: [] });
  await sendPlain(context, code, negotiated, '', 'v1', 'Status', {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code,
  });
}
