/** Counters of a cache since it was created. They are plain numbers, which metrics read at each scrape. */
export class CacheCounts {
  /** Times that it was filled from the store. */
  initializations = 0;
  /** Changes received from the store. */
  events = 0;
  /** Lists answered from it. */
  lists = 0;
  /** Records looked at for those lists, and records in their answers. */
  fetched = 0;
  returned = 0;
  /** Lists of the latest state that it answered, and that it could not answer in time. */
  consistentReads = 0;
  failedReads = 0;
  /** Initial events of watches. */
  initialEvents = 0;
}
