import { createHash } from 'node:crypto';

/** A text as the value of a label that does not show it: `sha256:` and its hash in hexadecimal. */
export const hashLabel = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;
