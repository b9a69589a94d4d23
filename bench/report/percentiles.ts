/** Nearest-rank percentile: always a measured value. */
export const percentile = (sorted: ArrayLike<number>, share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Medians: a single round on a busy machine must not decide. */
export const median = (values: number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** Summarizes a round in milliseconds and responses per second. */
export const summaryOf = (latencies: number[], seconds: number) => {
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
  }
}
