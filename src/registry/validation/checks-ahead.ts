import { runInBatches } from '../../request/scheduling/event-loop.ts';

/** One thing that a validation asks, with the answer once it is known. */
export interface Question<Answer> {
  /** Tells it from others of the same validation. */
  readonly subject: string;
  /** The length of what has to be looked at. */
  readonly size: number;
  /** Finds the answer; yields the sizes of what it has looked at in between. */
  answer(): Generator<number, Answer>;
}

/** How much is compiled at a stretch, in characters: ten milliseconds or so of work. */
const CHARACTERS_AT_A_STRETCH = 16 * 1024;

/**
 * Answers what the validation of an object will ask, before it runs, in parts. What that is is found by
 * letting the validation run without answers: it asks the same things in the same order whatever it is told.
 */
export class AsyncChecks<Answer> {
  readonly #answers = new WeakMap<
    object,
    Map<number, { readonly subject: string; readonly answer: Answer }>
  >();

  /** @param questions what the validation of the object asks, in order */
  async answer(object: object, questions: readonly Question<Answer>[]): Promise<void> {
    this.#answers.delete(object);
    // What is quickly done is left to the validation.
    if (questions.reduce((sum, { size }) => sum + size, 0) <= CHARACTERS_AT_A_STRETCH) return;
    this.#answers.set(object, await runInBatches(answering(questions), CHARACTERS_AT_A_STRETCH));
  }

  /** Gives the answers for an object one after the other; `find` answers what was not asked before. */
  answers(object: object): (subject: string, find: () => Answer) => Answer {
    const known = this.#answers.get(object);
    let place = 0;
    return (subject, find) => {
      const found = known?.get(place++);
      return found !== undefined && found.subject === subject ? found.answer : find();
    };
  }
}

function* answering<Answer>(
  questions: readonly Question<Answer>[],
): Generator<number, Map<number, { subject: string; answer: Answer }>> {
  const answers = new Map<number, { subject: string; answer: Answer }>();
  for (const [place, { subject, answer }] of questions.entries())
    answers.set(place, { subject, answer: yield* answer() });
  return answers;
}
