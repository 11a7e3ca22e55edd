import type { RequestContext } from './context.ts';

/**
 * Responds with an error in plain text, as kube-apiserver does where it has no Status. Disables content
 * sniffing, since the text may contain names from the client.
 * @param text without the newline at its end
 */
export function respondText(context: RequestContext, status: number, text: string): void {
  context.status = status;
  context.exchange.setHeader('x-content-type-options', 'nosniff');
  context.exchange.respond(status, 'text/plain; charset=utf-8', `${text}\n`);
}
