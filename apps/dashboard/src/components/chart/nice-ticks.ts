const MOST_STEPS = 5
const ROUND = [1, 2, 5, 10]

/** Ticks from zero to at least `max`: whole, evenly spaced, and with a step of 1, 2 or 5 times a power of ten. */
export const niceTicks = (max: number) => {
  if (max <= 0) return [0]
  const rough = max / MOST_STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, (ROUND.find((factor) => factor * power >= rough) ?? 10) * power)
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => Math.round(index * step))
}
