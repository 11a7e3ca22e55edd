const FORBIDDEN = ['/', '%'];

/** What is wrong with a name as a segment of a URL's path, in kube-apiserver's words. */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return forbiddenInPath(name);
}

/** As {@link pathSegmentProblems}, for the beginning of a name. */
export const forbiddenInPath = (name: string): string[] =>
  FORBIDDEN.filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
