/** On how many nodes images are, and how large they are. */
export class ImageCounts {
  readonly #images = new Map<string, { size: number; nodes: number }>();

  /** @param images sizes in bytes by name, of one node */
  change(images: ReadonlyMap<string, number>, delta: 1 | -1): void {
    for (const [name, size] of images) {
      const image = this.#images.get(name);
      if (image === undefined) this.#images.set(name, { size, nodes: 1 });
      else {
        image.nodes += delta;
        if (image.nodes === 0) this.#images.delete(name);
      }
    }
  }

  /** Undefined for an image that no node has. */
  get(name: string): { readonly size: number; readonly nodes: number } | undefined {
    return this.#images.get(name);
  }
}
