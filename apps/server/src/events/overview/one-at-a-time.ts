import type { Database } from '../../database/connect.ts'

/** Deduplicates work in this process: concurrent callers for the same thing share one promise. */
export const oneAtATime = () => {
  const running = new WeakMap<Database, Map<string, Promise<unknown>>>()
  return (db: Database, thing: string, work: () => Promise<unknown>): Promise<unknown> => {
    const ofThis = running.get(db) ?? new Map<string, Promise<unknown>>()
    running.set(db, ofThis)
    const others = ofThis.get(thing)
    if (others) return others
    const mine = work().finally(() => ofThis.delete(thing))
    ofThis.set(thing, mine)
    return mine
  }
}
