/** Receives the output of a command. */
export interface CommandOutput {
  out(text: string): void;
  error(text: string): void;
}
