import type { Database } from '../../database/connect.ts'

/** Deduplicates work in this process: concurrent callers for the same thing share one promise. */
export const oneAtATime = () => {
  const running = new WeakMap<Database, Map<string, Promise<unknown>>>()
  return (db: Database, thing: string, work: () => Promise<unknown>): Promise<unknown> => {
    const ongoing = running.get(db) ?? new Map<string, Promise<unknown>>()
    running.set(db, ongoing)
    const existing = ongoing.get(thing)
    if (existing) return existing
    const started = work().finally(() => ongoing.delete(thing))
    ongoing.set(thing, started)
    return started
  }
}
