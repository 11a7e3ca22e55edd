import type { MessageType } from '../schema/message.ts';

/** Forms that are messages with fields: encoding and decoding them can take long. */
export const COMPOUND_FORMS: ReadonlySet<MessageType['form']> = new Set([
  'object',
  'array',
  'schemaOrArray',
  'schemaOrBool',
  'schemaOrStringArray',
]);
