/** Time and chance, in one place, so that a test can stand in for both. */
export type Pace = {
  now(): number
  /** Resolves after a while; never later than the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Rings once after a while, unless it is cancelled by what it answers. */
  alarm(milliseconds: number, ring: () => void): () => void
  /** From 0 up to 1. */
  random(): number
}

export const realPace: Pace = {
  now: () => Date.now(),
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
