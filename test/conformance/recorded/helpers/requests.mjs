/** A creation. */
export const post = (name, path, body) => ({ name, method: 'POST', path, body });

/** A replacement. */
export const put = (name, path, body) => ({ name, method: 'PUT', path, body });

/** A patch. @param type `merge`, `json` or `strategic-merge` */
export const patch = (name, path, body, type = 'merge') => ({
  name,
  method: 'PATCH',
  path,
  contentType: `application/${type}-patch+json`,
  body,
});
