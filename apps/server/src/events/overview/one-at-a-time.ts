import type { Database } from '../../database/connect.ts'

/** Work on one thing of a database. Whoever wants it done while it is being done in this process gets the same promise. */
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
