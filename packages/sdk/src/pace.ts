/** Time and chance, in one place, so that a test can stand in for both. */
export type Pace = {
  /** For spans: it only ever goes forward, even where somebody sets the clock. */
  now(): number
  /** For what others say in dates. */
  date(): number
  /** Resolves after a while; never later than the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Rings once after a while, unless it is cancelled by what it answers. */
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
