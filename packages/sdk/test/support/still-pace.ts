import type { Pace } from '../../src/pace.ts'

/** A fake clock that only advances when the SDK waits. Tests see every wait without spending time on it. */
export const stillPace = ({ chance = 0.5, at = Date.parse('2026-03-01T12:00:00Z') } = {}) => {
  // Different from the date, so that tests notice if the two are mixed up.
  let now = 5_000
  const waits: number[] = []
  const alarms = new Set<() => void>()
  const timeouts: number[] = []
  const pace: Pace = {
    now: () => now,
    date: () => at + now - 5_000,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
    },
    alarm: (milliseconds, ring) => {
      timeouts.push(milliseconds)
      alarms.add(ring)
      return () => alarms.delete(ring)
    },
    random: () => chance,
  }
  return {
    pace,
    now: () => now,
    waits,
    timeouts,
    pending: () => alarms.size,
    /** Times out the running attempt. */
    ring: () => {
      now += timeouts.at(-1) ?? 0
      for (const ring of alarms) ring()
    },
  }
}
