const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DOMAIN_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const DOMAIN_ONLY = new RegExp(`^${DOMAIN}$`);
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
/** Image pull policies, in the order of kube-apiserver's error messages. */
export const PULL_POLICIES: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

/** Returns the default pull policy: `Always` for the tag `latest`. */
export const defaultPullPolicy = (image = ''): string =>
  imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';

/** Maximum length of an image reference, in characters. */
const MAXIMUM_LENGTH = 4096;
const MAXIMUM_PATH_LENGTH = 255;

/**
 * Returns the tag of an image: `latest` when it has neither tag nor digest, empty when it has only a digest
 * or is not a valid image reference.
 */
export function imageTag(image: string): string {
  if (image.length > MAXIMUM_LENGTH || /^[a-f0-9]{64}$/.test(image)) return '';
  const at = image.indexOf('@');
  const digest = at < 0 ? '' : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : '';
  const repository = hasTag ? named.slice(0, colon) : named;
  if ((at >= 0 && !DIGEST.test(digest)) || (hasTag && !TAG.test(tag)) || !isRepository(repository)) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}

function isRepository(repository: string): boolean {
  const slash = repository.indexOf('/');
  const first = repository.slice(0, Math.max(slash, 0));
  const hasDomain =
    slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (hasDomain) return DOMAIN_ONLY.test(first) && isPath(repository.slice(slash + 1));
  // An image of the default registry without a namespace is in `library`.
  return isPath(slash < 0 ? `library/${repository}` : repository);
}

const isPath = (path: string): boolean => path.length <= MAXIMUM_PATH_LENGTH && PATH.test(path);
