/** A creation as a dry run. */
export const create = (name, path, body) => ({ name, method: 'POST', path: `${path}?dryRun=All`, body });

/** A merge patch as a dry run. */
export const merge = (name, path, body) => ({
  name,
  method: 'PATCH',
  path: `${path}?dryRun=All`,
  contentType: 'application/merge-patch+json',
  body,
});
