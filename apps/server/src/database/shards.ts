import type { Batches } from './batches.ts'
import type { Database } from './connect.ts'

/**
 * The database with a program's rows. An instance has one today; what only knows a program's ID asks here, so that a workspace
 * can have its own (docs/decisions/0043).
 */
export type DatabaseOf = (programId: number) => Database

export const onlyDatabase =
  (db: Database): DatabaseOf =>
  () =>
    db

type Options<Call, Result> = {
  databaseOf: DatabaseOf
  programIdOf: (call: Call) => number
  open: (db: Database) => Batches<Call, Result>
}

/** One queue for each database, because a transaction cannot span two. */
export const queuePerDatabase = <Call, Result>({ databaseOf, programIdOf, open }: Options<Call, Result>) => {
  const queues = new Map<Database, Batches<Call, Result>>()
  const queueOf = (call: Call) => {
    const db = databaseOf(programIdOf(call))
    const queue = queues.get(db) ?? open(db)
    queues.set(db, queue)
    return queue
  }
  const batches: Batches<Call, Result> = {
    run: (keys, call, checks) => queueOf(call).run(keys, call, checks),
    alone: (call) => queueOf(call).alone(call),
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
    drain: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.drain()))
    },
  }
  return batches
}
