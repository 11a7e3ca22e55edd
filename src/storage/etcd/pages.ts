import type { RangeResult, StoredEntry } from '../storage.ts';
import { isAnswerTooLarge } from './call-errors.ts';
import type { KeyMapper } from './keys.ts';
import type { KeyValue, RangeResponse } from './messages.ts';
import type { RangeRequest } from './requests.ts';
import { toEntry } from './watch-stream.ts';

/** Keys of the first page, and of any page. */
const FIRST_PAGE = 500;
const LARGEST_PAGE = 10_000;
/** Bytes at which pages aim. */
const PAGE_BYTES = 4 << 20;

/**
 * Reads a range in pages at one revision. The first page has at most 500 keys; later ones have about 4 MB.
 * @param request with the limit of the whole range; 0 or undefined for none
 */
export async function readPages(
  { limit, ...request }: RangeRequest,
  read: (request: RangeRequest) => Promise<RangeResponse>,
  keys: KeyMapper,
): Promise<RangeResult> {
  const wanted = limit || Number.POSITIVE_INFINITY;
  const entries: StoredEntry[] = [];
  let first: RangeResponse | undefined;
  let { key, revision } = request;
  let size = FIRST_PAGE;
  for (;;) {
    const asked = Math.min(size, wanted - entries.length);
    let page: RangeResponse;
    try {
      page = await read({ ...request, key, revision, limit: asked });
    } catch (error) {
      if (!isAnswerTooLarge(error) || asked === 1) throw error;
      size = Math.ceil(asked / 4);
      continue;
    }
    first ??= page;
    revision ||= page.header.revision;
    for (const entry of page.entries) entries.push(toEntry(entry, keys));
    if (!page.more || entries.length >= wanted)
      return { entries, count: first.count, more: page.more, revision: first.header.revision };
    key = `${page.entries.at(-1)!.key}\0`;
    size = nextSize(page.entries);
  }
}

/** The number of keys of the next page, if their values are like those of this one. */
function nextSize(entries: readonly KeyValue[]): number {
  let bytes = 0;
  for (const { key, value } of entries) bytes += key.length + value.length;
  return Math.min(Math.max(Math.floor((PAGE_BYTES * entries.length) / bytes), 1), LARGEST_PAGE);
}
