/** Whether an If-None-Match header matches an entity tag: in a list, as a weak tag, or with `*`. */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => {
    const text = one.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}
