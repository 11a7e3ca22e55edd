import { createHash } from 'node:crypto';

/**
 * The hash of a flow: the first eight bytes, little endian, of the SHA-256 of the name of its flow schema, a
 * zero byte and its distinguisher. kube-apiserver computes the same number, so that a flow has the same queues
 * there.
 */
export function flowHash(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE(0);
}

/**
 * Deals a hand of different queues to a flow: the hash is divided by the number of queues left after each one,
 * and each remainder is an index into them.
 * @param queues number of queues, at least `handSize` @param handSize at least 1
 */
export function dealHand(hash: bigint, queues: number, handSize: number): Uint32Array {
  const hand = new Uint32Array(handSize);
  const remainders = new Uint32Array(handSize);
  let rest = hash;
  for (let index = 0; index < handSize; index += 1) {
    const left = BigInt(queues - index);
    remainders[index] = Number(rest % left);
    rest /= left;
  }
  for (let index = 0; index < handSize; index += 1) {
    let card = remainders[index]!;
    for (let before = index - 1; before >= 0; before -= 1) if (card >= remainders[before]!) card += 1;
    hand[index] = card;
  }
  return hand;
}
