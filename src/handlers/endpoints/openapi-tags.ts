/** Whether an If-None-Match header names a tag: in a list, weakly, or with `*`. */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => {
    const text = one.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}
