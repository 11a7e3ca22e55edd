import { Pace } from '../steps/pace.ts';

/** JSON text that becomes bytes at each pause. */
export class JsonPieces {
  readonly bytes: Uint8Array[] = [];
  /** The text since the last pause; writers add to it. */
  text = '';
  readonly #pace = new Pace();

  /** Counts a value that was added. @returns whether to pause */
  endsStep(): boolean {
    if (!this.#pace.isPause()) return false;
    this.flush();
    return true;
  }

  flush(): void {
    this.bytes.push(Buffer.from(this.text));
    this.text = '';
  }
}
