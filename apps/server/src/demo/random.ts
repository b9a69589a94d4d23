/** Chance that comes out the same every time: one seed, one sequence. Not for secrets. */
export type Random = ReturnType<typeof seededRandom>

/** mulberry32: thirty-two bits of state are plenty for some weeks of made-up traffic. */
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
    /** From `low` up to and without `high`. */
    between: (low: number, high: number) => low + next() * (high - low),
    /** A whole number whose average over many calls is `expected`. */
    whole: (expected: number) => Math.floor(expected) + (next() < expected % 1 ? 1 : 0),
    /** One of several, each as likely as its weight says. */
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
