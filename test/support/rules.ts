import { pageText } from './documents.ts';

/** The rules of a page: the items of the lists below its heading `Rules`, as one line each. */
export function rulesOf(page: string): string[] {
  const [, section] = pageText(page).split('\n## Rules\n');
  return [...(section?.split('\n## ')[0] ?? '').matchAll(/^- ((?:.+\n?(?! *-|\n))*.*)$/gm)].map(([, text]) =>
    text!.replaceAll(/\s+/g, ' ').trim(),
  );
}
