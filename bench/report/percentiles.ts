/** The value below which that share of sorted values lies: the nearest one that was really measured. */
export const percentile = (sorted: ArrayLike<number>, share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Medians: one round in which the machine was busy elsewhere must not decide. */
export const median = (values: number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** What a round comes to, in milliseconds and answers a second. */
export const summaryOf = (latencies: number[], seconds: number) => {
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
  }
}
