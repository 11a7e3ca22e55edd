import { trimEnd } from '../model/trim-end.ts';

/** Whether a pattern of non-resource paths covers a path: the path itself, or a prefix that ends in `*`. */
export const coversPath = (pattern: string, path: string): boolean =>
  pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(trimEnd(pattern, '*')));
