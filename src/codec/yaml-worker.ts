import { parentPort } from 'node:worker_threads';
import { DecodeError } from './decode-error.ts';
import { writePlain } from './json-plain.ts';
import { parseYaml } from './yaml-parse.ts';

/** A document to parse. */
export interface YamlTask {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Its contents as compact JSON, or the error. */
export type YamlOutcome =
  | { readonly id: number; readonly json: Uint8Array; readonly duplicates: readonly string[] }
  | { readonly id: number; readonly error: string };

function outcomeOf({ id, bytes }: YamlTask): YamlOutcome {
  try {
    const { value, duplicates } = parseYaml(bytes);
    return { id, json: Uint8Array.from(Buffer.from(writePlain(value))), duplicates };
  } catch (error) {
    // A document too deep to be written gets the same error as one too deep to be parsed.
    if (error instanceof RangeError) return { id, error: 'yaml: exceeded max depth of 10000' };
    if (error instanceof DecodeError) return { id, error: error.message };
    throw error;
  }
}

/** Entry point of the thread that parses large YAML documents. */
parentPort?.on('message', (task: YamlTask) => {
  const outcome = outcomeOf(task);
  parentPort!.postMessage(outcome, 'json' in outcome ? [outcome.json.buffer as ArrayBuffer] : []);
});
