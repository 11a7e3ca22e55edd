import { createHash } from 'node:crypto';

/**
 * The `imageID` of an image that nobody has pulled: its repository with its digest, or with the digest of its reference,
 * so that equal references have equal identities.
 */
export function imageId(image: string): string {
  if (image.includes('@')) return image;
  const digest = createHash('sha256').update(image).digest('hex');
  return `${repositoryOf(image)}@sha256:${digest}`;
}

/** Whether an image is one of those named `pause`: their program does nothing until it is stopped. */
export function isPause(image: string): boolean {
  const repository = repositoryOf(image.split('@', 1)[0]!);
  return repository.slice(repository.lastIndexOf('/') + 1) === 'pause';
}

/** The reference without its tag: a colon before the last slash belongs to the port of the registry. */
function repositoryOf(image: string): string {
  const tag = image.indexOf(':', image.lastIndexOf('/') + 1);
  return tag < 0 ? image : image.slice(0, tag);
}
