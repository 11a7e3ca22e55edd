/**
 * How much work is done between two pauses, and from which size on work is done in steps. Each amount takes some
 * milliseconds on the machines that the README measures.
 */
export interface StepSizes {
  /** Bytes that a request works on, from which all of its steps take turns. */
  readonly requestBytes: number;
  /** Bytes of an encoded object, above which it is decoded, converted and encoded in steps. */
  readonly objectBytes: number;
  /** Bytes of a YAML document, above which it is parsed in steps. */
  readonly yamlBytes: number;
  /** Values of a tree that a walk visits without much work for each. */
  readonly values: number;
  /** Values of a tree that a walk compares, sorts or copies. */
  readonly nodes: number;
  /** Characters that are scanned one by one. */
  readonly characters: number;
  /** Characters of YAML, or half of those of indented JSON, that are written: a few milliseconds before the code is compiled. */
  readonly formatted: number;
  /** Bytes that a native function scans or copies. */
  readonly bytes: number;
  /** Stored objects of a list that are encoded or filtered. */
  readonly records: number;
  /** Comparisons of short values. */
  readonly comparisons: number;
  /** Microseconds that the checks of a validation are estimated to take. */
  readonly checkMicroseconds: number;
  /** Characters of expressions that are compiled. */
  readonly expressionCharacters: number;
  /** Cost units of expressions that are evaluated. */
  readonly expressionCost: number;
}

const DEFAULTS: StepSizes = {
  requestBytes: 256 * 1024,
  objectBytes: 32 * 1024,
  yamlBytes: 8 * 1024,
  values: 4096,
  nodes: 2048,
  characters: 64 * 1024,
  formatted: 8 * 1024,
  bytes: 256 * 1024,
  records: 64,
  comparisons: 64 * 1024,
  checkMicroseconds: 8192,
  expressionCharacters: 4096,
  expressionCost: 200_000,
};

/** Set in builds for tests only (`scripts/build.mjs --small-steps`). */
declare const TEST_BUILD: boolean | undefined;

function atStart(): StepSizes {
  if (typeof TEST_BUILD === 'undefined' || !TEST_BUILD) return { ...DEFAULTS };
  const size = Number(process.env['BINNACLE_STEP_SIZE'] ?? '');
  return size > 0 ? everyOne(size) : { ...DEFAULTS };
}

const everyOne = (size: number): StepSizes =>
  Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, size])) as unknown as StepSizes;

/** The sizes of the process. They are read when a walk begins; only tests change them. */
export const stepSizes: StepSizes = atStart();

/** Sets some sizes, or all to one number, for tests. @returns a function that restores the sizes before */
export function setStepSizes(sizes: Partial<StepSizes> | number): () => void {
  const before = { ...stepSizes };
  Object.assign(stepSizes, typeof sizes === 'number' ? everyOne(sizes) : sizes);
  return () => void Object.assign(stepSizes, before);
}
