import { parsingJson } from '../../codec/json-parse.ts';
import { runInBackground } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';

/** Documents of extension servers may have this size; kube-apiserver's own OpenAPI document has 4 MB. */
export const MAXIMUM_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Parsed at once, in some milliseconds. */
const BYTES_AT_ONCE = 512 * 1024;

/** Parses a JSON document of an extension server in steps that yield to the event loop. @throws Error */
export async function parseDocument(body: Buffer): Promise<unknown> {
  if (body.length <= BYTES_AT_ONCE) return JSON.parse(body.toString('utf8'));
  const { value } = await runInBackground(parsingJson(body));
  await runInBackground(roundingIntegers(value));
  return value;
}

const CONTAINERS_PER_STEP = 8192;

/** Replaces the integers that a double does not hold exactly, which cannot be encoded, in place. */
function* roundingIntegers(root: unknown): Steps<void> {
  const rest: unknown[] = [root];
  for (let visited = 1; rest.length > 0; visited += 1) {
    const container = rest.pop();
    if (visited % CONTAINERS_PER_STEP === 0) yield;
    if (typeof container !== 'object' || container === null) continue;
    for (const [key, member] of Object.entries(container)) {
      if (typeof member === 'bigint') (container as Record<string, unknown>)[key] = Number(member);
      else if (typeof member === 'object') rest.push(member);
    }
  }
}
