/** Random numbers for a test whose name contains the seed; `SEED=… npm test -- FILE` repeats it. */
export const seeded = () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  let state = seed
  /** Mulberry32: from 0 up to but not including 1. */
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, random }
}
