import { frameBytes as frame } from '../../connection/frames.ts';
import type { Random } from './random.ts';

/** Damages what a client sends: bytes, ranges, and frames of all kinds. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  const kind = random.below(7);
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(40));
  const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
  switch (kind) {
    case 0: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[at % changed.length] = random.below(256);
      return changed;
    }
    case 1:
      return join(bytes.subarray(0, at), bytes.subarray(to));
    case 2:
      return join(bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(at, to), bytes.subarray(to));
    case 3:
      return join(bytes.subarray(0, at), random.bytes(random.below(30)), bytes.subarray(at));
    case 4:
      // A frame with a correct length, and anything else.
      return join(bytes, randomFrame(random));
    case 5:
      return join(randomFrame(random), bytes);
    default: {
      // Flags and streams of real frames.
      const changed = Buffer.from(bytes);
      if (changed.length >= 9) changed[random.pick([3, 4, 8])] = random.below(16);
      return changed;
    }
  }
}

function randomFrame(random: Random): Buffer {
  const payload = random.chance(0.3) ? Buffer.alloc(random.below(20_000)) : random.bytes(random.below(30));
  return frame(random.below(11), random.below(256), random.below(60), payload);
}
