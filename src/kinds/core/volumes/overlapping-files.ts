import { quote } from '../../../errors/quote.ts';
import type { KeyToPath, Volume } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { trimEnd } from '../../../model/trim-end.ts';
import { Pace } from '../../../steps/pace.ts';
import type { Steps } from '../../../steps/steps.ts';

/** Comparisons for one pod: those of some 700 files with each other. */
const MAXIMUM_COMPARISONS = 1 << 18;
/** Different warnings for one pod; far fewer fit into a response. */
const MAXIMUM_WARNINGS = 256;

interface FilePath {
  readonly path: string;
  readonly source: string;
}

const pathsOf = (items: readonly KeyToPath[] = [], source = ''): FilePath[] =>
  items.map(({ path = '' }) => ({ path: trimEnd(path, '/'), source }));

/** Whether the paths are equal, or one is a directory of the other. */
function overlaps({ path: one }: FilePath, { path: other }: FilePath): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && (long.length === short.length || long[short.length] === '/');
}

/** The releases that compare the paths of a source again where the next one names none. */
const REPEATS_PATHS: Life = { until: '1.34' };

/** Warns about files of one volume with overlapping paths, in steps. */
export function* findingOverlaps(
  volumes: readonly Volume[],
  { has }: Pick<RuleContext, 'has'>,
): Steps<string[]> {
  const search = new OverlapSearch(has(REPEATS_PATHS));
  for (const volume of volumes) {
    yield* search.volume(volume);
    if (search.isOver) break;
  }
  return [...search.warnings];
}

/** The search in one pod. It ends at the maximum number of comparisons or warnings. */
class OverlapSearch {
  readonly warnings = new Set<string>();
  readonly #pace = new Pace();
  readonly #repeatsPaths: boolean;
  #left = MAXIMUM_COMPARISONS;

  constructor(repeatsPaths: boolean) {
    this.#repeatsPaths = repeatsPaths;
  }

  get isOver(): boolean {
    return this.#left <= 0 || this.warnings.size >= MAXIMUM_WARNINGS;
  }

  *volume({ name = '', configMap, secret, downwardAPI, projected }: Volume): Steps<void> {
    const quoted = JSON.stringify(name);
    const within = (items: readonly KeyToPath[] | undefined, source: string): Steps<void> =>
      this.#within(pathsOf(items), `volume ${quoted} (${source}): overlapping paths:`);
    if (configMap) yield* within(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
    if (secret) yield* within(secret.items, `Secret ${quote(secret.secretName ?? '')}`);
    if (downwardAPI) yield* within(downwardAPI.items as KeyToPath[] | undefined, 'DownwardAPI');
    if (projected) yield* this.#projected(projected, quoted);
  }

  /** Compares the files of one source. */
  *#within(files: readonly FilePath[], text: string): Steps<void> {
    for (const [index, file] of files.entries())
      for (let other = 0; other < index; other += 1) {
        if (this.isOver) return;
        if (this.#isPause()) yield;
        const earlier = files[other]!;
        if (overlaps(earlier, file))
          this.warnings.add(`${text} ${quote(file.path)} with ${quote(earlier.path)}`);
      }
  }

  *#projected({ sources = [] }: NonNullable<Volume['projected']>, name: string): Steps<void> {
    const known: FilePath[] = [];
    let current: FilePath[] = [];
    for (const source of sources) {
      if (this.isOver) return;
      if (this.#pace.isPause()) yield;
      if (Object.values(source).every((part) => part === undefined)) {
        this.warnings.add(`volume ${name} (Projected) has no sources provided`);
        continue;
      }
      current = filesOf(source) ?? (this.#repeatsPaths ? current : []);
      for (const file of current) {
        yield* this.#againstKnown(file, known, name);
        known.push(file);
      }
    }
  }

  *#againstKnown(file: FilePath, known: readonly FilePath[], name: string): Steps<void> {
    for (const other of known) {
      if (this.isOver) return;
      if (this.#isPause()) yield;
      if (overlaps(other, file))
        this.warnings.add(
          `volume ${name} (Projected): overlapping paths: ${quote(file.path)} (${file.source}) with ${quote(other.path)} (${other.source})`,
        );
    }
  }

  /** Counts a comparison. */
  #isPause(): boolean {
    this.#left -= 1;
    return this.#pace.isPause();
  }
}

type ProjectedSource = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

/** The files of a projected source. A config map or secret without items has no known paths. */
function filesOf({
  configMap,
  secret,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
  podCertificate,
}: ProjectedSource): FilePath[] | undefined {
  if (configMap?.items !== undefined)
    return pathsOf(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return pathsOf(secret.items, `Secret ${quote(secret.name ?? '')}`);
  if (downwardAPI !== undefined) return pathsOf(downwardAPI.items as KeyToPath[] | undefined, 'DownwardAPI');
  if (serviceAccountToken !== undefined)
    return pathsOf([{ path: serviceAccountToken.path ?? '' }], 'ServiceAccountToken');
  if (clusterTrustBundle !== undefined) {
    const { name, signerName = '', path = '' } = clusterTrustBundle;
    return pathsOf([{ path }], `ClusterTrustBundle ${quote(name ?? signerName)}`);
  }
  return podCertificate === undefined ? undefined : certificatePaths(podCertificate);
}

const certificatePaths = ({
  certificateChainPath = '',
  keyPath = '',
  credentialBundlePath = '',
}: NonNullable<ProjectedSource['podCertificate']>): FilePath[] =>
  [
    ...pathsOf([{ path: certificateChainPath }], 'PodCertificate chain'),
    ...pathsOf([{ path: keyPath }], 'PodCertificate key'),
    ...pathsOf([{ path: credentialBundlePath }], 'PodCertificate credential bundle'),
  ].filter(({ path }) => path !== '');
