import type { Pod } from '../../model/generated/core-v1.ts';
import { OWN, saysBehaviour, stage } from '../annotations.ts';
import { type Delay, parseDelay } from './delay.ts';

/** A failure of containers that kwok's labels and annotations ask for. */
export interface AskedFailure {
  /** The container that fails; all if undefined. */
  readonly container: string | undefined;
  readonly delay: Delay;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string | undefined;
}

/** What ends the main containers of a Pod, besides their commands. */
export interface AskedEnd {
  /** Exit codes by the number of restarts; the last one repeats. */
  readonly byRestart: readonly number[] | undefined;
  /** Exit codes by Job completion index; `run`: it runs until it is stopped. */
  readonly byIndex: ReadonlyMap<string, number | 'run'> | undefined;
  readonly exitCode: number | undefined;
  /** When they end; default: by their command, or {@link complete}. */
  readonly after: Delay | undefined;
  /** When containers of Jobs end that have no command. */
  readonly complete: Delay | undefined;
}

/** How the labels and annotations of a Pod say that it behaves. */
export interface PodBehavior {
  /** Whether its containers start. */
  readonly start: 'normal' | 'never' | 'image-error';
  /** The reason for which its node refuses it. */
  readonly reject: string | undefined;
  /** The reason for which it fails. */
  readonly fail: string | undefined;
  /** From its binding to its start; `never`: it starts and is never ready. */
  readonly readyDelay: Delay | 'never' | undefined;
  /** Whether its running containers are ready. */
  readonly isReady: boolean;
  /** Readiness changes each time that so many milliseconds have passed since its start. */
  readonly flapping: number | undefined;
  /** From the mark of its deletion to the end of its containers; `grace`: its whole grace period. */
  readonly stopDelay: Delay | 'grace' | undefined;
  /** The reason with which its running containers were killed, once for each value. */
  readonly kill: string | undefined;
  readonly end: AskedEnd;
  /** The Pod is Failed at once, whatever its restart policy. */
  readonly initFailure: AskedFailure | undefined;
  readonly failure: AskedFailure | undefined;
  /** Each run of the container fails. */
  readonly initRunFailure: AskedFailure | undefined;
  readonly runFailure: AskedFailure | undefined;
  /** Values that say nothing, each as `annotation: what it must be`. */
  readonly problems: readonly string[];
}

const NO_END: AskedEnd = {
  byRestart: undefined,
  byIndex: undefined,
  exitCode: undefined,
  after: undefined,
  complete: undefined,
};

/** A Pod that runs, is ready and ends as its commands say. */
export const PLAIN: PodBehavior = {
  start: 'normal',
  reject: undefined,
  fail: undefined,
  readyDelay: undefined,
  isReady: true,
  flapping: undefined,
  stopDelay: undefined,
  kill: undefined,
  end: NO_END,
  initFailure: undefined,
  failure: undefined,
  initRunFailure: undefined,
  runFailure: undefined,
  problems: [],
};

/** kwok's default between the begin of a stage and its effect. */
const STAGE_DELAY: Delay = { after: 1000 };
/** The shortest period of {@link PodBehavior.flapping}, in milliseconds. */
const SHORTEST_FLAP = 100;
/** Most exit codes of one annotation, and most characters of one that is JSON. */
const MOST_CODES = 1000;
const MOST_JSON_CHARACTERS = 16_384;
const MOST_REASON_CHARACTERS = 1024;

/** Reads what the labels and annotations of a Pod say. What cannot be read counts as absent and is a problem. */
export function behaviorOf({ metadata }: Pod): PodBehavior {
  const { labels, annotations } = metadata ?? {};
  if (!saysBehaviour(annotations) && !saysBehaviour(labels)) return PLAIN;
  return new BehaviorReader(labels ?? {}, annotations ?? {}).read();
}

type Texts = Readonly<Record<string, string>>;

class BehaviorReader {
  readonly #labels: Texts;
  readonly #annotations: Texts;
  readonly #problems: string[] = [];

  constructor(labels: Texts, annotations: Texts) {
    this.#labels = labels;
    this.#annotations = annotations;
  }

  read(): PodBehavior {
    const complete = this.#delay(`${stage('pod-complete')}/delay`);
    return {
      start: this.#oneOf('start', ['never', 'image-error']) ?? 'normal',
      reject: this.#reason('reject'),
      fail: this.#reason('fail'),
      readyDelay: this.#delayOr('ready-delay', 'never') ?? this.#delay(`${stage('pod-ready')}/delay`),
      isReady: this.#oneOf('ready', ['true', 'false']) !== 'false',
      flapping: this.#flapping(),
      stopDelay: this.#delayOr('stop-delay', 'grace') ?? this.#delay(`${stage('pod-delete')}/delay`),
      kill: this.#reason('kill'),
      end: {
        byRestart: this.#exitCodes(),
        byIndex: this.#exitCodesByIndex(),
        exitCode: this.#exitCode(`${OWN}exit-code`),
        after: this.#delay(`${OWN}exit-after`),
        complete,
      },
      initFailure: this.#stageFailure('pod-init-container-running-failed', {
        reason: 'initContainerError',
        message: 'initContainer reported errors',
      }),
      failure: this.#stageFailure('pod-container-running-failed', {
        reason: 'containerFailed',
        message: 'container failed',
      }),
      initRunFailure: this.#runFailure('pod-init-container-failed'),
      runFailure: this.#runFailure('pod-container-failed'),
      problems: this.#problems,
    };
  }

  #text(name: string): string | undefined {
    return Object.hasOwn(this.#annotations, name) ? this.#annotations[name] : undefined;
  }

  #problem(name: string, expected: string): undefined {
    this.#problems.push(`${name}: must be ${expected}`);
    return undefined;
  }

  #oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.#text(OWN + name);
    if (text === undefined) return undefined;
    const found = values.find((value) => value === text);
    return found ?? this.#problem(OWN + name, values.map((value) => JSON.stringify(value)).join(' or '));
  }

  /** A reason, which becomes a member of a status. */
  #reason(name: string): string | undefined {
    const text = this.#text(OWN + name);
    if (text === undefined) return undefined;
    return text !== '' && text.length <= MOST_REASON_CHARACTERS
      ? text
      : this.#problem(OWN + name, `a reason of 1 to ${MOST_REASON_CHARACTERS} characters, such as "Evicted"`);
  }

  #delay(name: string): Delay | undefined {
    const text = this.#text(name);
    if (text === undefined) return undefined;
    return (
      parseDelay(text) ??
      this.#problem(name, 'a duration such as "2s", or a time such as "2030-01-02T03:04:05Z"')
    );
  }

  #delayOr<Word extends string>(name: string, word: Word): Delay | Word | undefined {
    if (this.#text(OWN + name) === word) return word;
    return this.#delay(OWN + name);
  }

  #flapping(): number | undefined {
    const name = `${OWN}flapping`;
    const text = this.#text(name);
    if (text === undefined) return undefined;
    const delay = parseDelay(text);
    return delay !== undefined && 'after' in delay && delay.after >= SHORTEST_FLAP
      ? delay.after
      : this.#problem(name, `a duration of at least ${SHORTEST_FLAP}ms`);
  }

  #exitCode(name: string): number | undefined {
    const text = this.#text(name);
    if (text === undefined) return undefined;
    return exitCode(text) ?? this.#problem(name, 'a number from 0 to 255');
  }

  #exitCodes(): readonly number[] | undefined {
    const name = `${OWN}exit-codes-by-restart`;
    const text = this.#text(name);
    if (text === undefined) return undefined;
    const codes = text.split(',', MOST_CODES).map((code) => exitCode(code.trim()));
    return codes.every((code) => code !== undefined)
      ? codes
      : this.#problem(name, 'numbers from 0 to 255, separated by commas');
  }

  #exitCodesByIndex(): ReadonlyMap<string, number | 'run'> | undefined {
    const name = `${OWN}exit-codes-by-index`;
    const text = this.#text(name);
    if (text === undefined) return undefined;
    const entries = objectEntries(text)?.map(([index, value]) => [index, codeOrRun(value)] as const);
    return entries?.every((entry): entry is readonly [string, number | 'run'] => entry[1] !== undefined)
      ? new Map(entries)
      : this.#problem(name, 'an object of numbers from 0 to 255 or "run", such as {"1":3}');
  }

  /** A failure that a label asks for. */
  #stageFailure(name: string, defaults: { reason: string; message: string }): AskedFailure | undefined {
    if (this.#labels[stage(name)] !== 'true') return undefined;
    return this.#failure(
      name,
      this.#text(`${stage(name)}/container-name`) || undefined,
      STAGE_DELAY,
      defaults,
    );
  }

  /** A failure that an annotation with the name of the container asks for. */
  #runFailure(name: string): AskedFailure | undefined {
    const container = this.#text(`${stage(name)}/name`);
    if (container === undefined || container === '') return undefined;
    return this.#failure(name, container, STAGE_DELAY, { reason: 'Error', message: undefined });
  }

  #failure(
    name: string,
    container: string | undefined,
    delay: Delay,
    { reason, message }: { reason: string; message: string | undefined },
  ): AskedFailure {
    return {
      container,
      delay: this.#delay(`${stage(name)}/delay`) ?? delay,
      exitCode: this.#exitCode(`${stage(name)}/exit-code`) ?? 1,
      reason: this.#text(`${stage(name)}/reason`) || reason,
      message: this.#text(`${stage(name)}/message`) || message,
    };
  }
}

const exitCode = (text: string): number | undefined =>
  /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined;

function codeOrRun(value: unknown): number | 'run' | undefined {
  if (value === 'run') return value;
  return typeof value === 'number' ? exitCode(String(value)) : undefined;
}

function objectEntries(text: string): [string, unknown][] | undefined {
  if (text.length > MOST_JSON_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : undefined;
  } catch {
    return undefined;
  }
}
