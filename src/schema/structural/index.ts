/** Structural schemas of JSON values: validation and pruning. */
export { equalJson, jsonText } from './json.ts';
export { prune } from './prune.ts';
export { validateValue } from './validate-value.ts';
export type { ValueSchema } from './value-schema.ts';
