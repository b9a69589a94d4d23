/** A deterministic pseudorandom generator: one seed, one sequence. Not for secrets. */
export type Random = ReturnType<typeof seededRandom>

/** mulberry32: 32 bits of state are enough for a few weeks of sample traffic. */
export const seededRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (probability: number) => next() < probability,
    /** From `low` (inclusive) to `high` (exclusive). */
    between: (low: number, high: number) => low + next() * (high - low),
    /** An integer whose average over many calls is `expected`. */
    whole: (expected: number) => Math.floor(expected) + (next() < expected % 1 ? 1 : 0),
    /** A weighted choice. */
    pick: <Choice extends { weight: number }>(choices: readonly Choice[]): Choice => {
      let left = next() * choices.reduce((total, { weight }) => total + weight, 0)
      for (const choice of choices) {
        left -= choice.weight
        if (left < 0) return choice
      }
      return choices.at(-1) as Choice
    },
    hex: (length: number) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
  }
}
