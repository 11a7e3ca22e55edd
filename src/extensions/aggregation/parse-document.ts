import { parsingJson } from '../../codec/json-parse.ts';
import { Pace } from '../../steps/pace.ts';
import { runInBackground } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';

/** Documents of extension servers may have this size; kube-apiserver's own OpenAPI document has 4 MB. */
export const MAXIMUM_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Parses a JSON document of an extension server in steps that yield to the event loop. @throws Error */
export async function parseDocument(body: Buffer): Promise<unknown> {
  if (body.length <= stepSizes.bytes) return JSON.parse(body.toString('utf8'));
  const { value } = await runInBackground(parsingJson(body));
  await runInBackground(roundingIntegers(value));
  return value;
}

/** Replaces the integers that a double does not hold exactly, which cannot be encoded, in place. */
function* roundingIntegers(root: unknown): Steps<void> {
  const rest: unknown[] = [root];
  const pace = new Pace(stepSizes.values);
  while (rest.length > 0) {
    const container = rest.pop();
    if (pace.isPause()) yield;
    if (typeof container !== 'object' || container === null) continue;
    for (const [key, member] of Object.entries(container)) {
      if (typeof member === 'bigint') (container as Record<string, unknown>)[key] = Number(member);
      else if (typeof member === 'object') rest.push(member);
    }
  }
}
