/** Time and randomness, which tests replace. */
export type Pace = {
  /** Monotonic clock, for durations. */
  now(): number
  /** Wall clock, for dates in headers. */
  date(): number
  /** Resolves after the delay, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Calls `ring` once after the delay. Returns a function that cancels it. */
  alarm(milliseconds: number, ring: () => void): () => void
  /** From 0 up to 1. */
  random(): number
}

export const realPace: Pace = {
  // A few edge runtimes have no `performance`.
  now: () => globalThis.performance?.now() ?? Date.now(),
  date: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds)
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      if (signal.aborted) done()
      else signal.addEventListener('abort', done)
    }),
  alarm: (milliseconds, ring) => {
    const timer = setTimeout(ring, milliseconds)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}
