import type { Batches } from './batches.ts'
import type { Database, Directory } from './connect.ts'

/** The database with a program's rows. */
export type DatabaseOf = (programId: number) => Database

/**
 * The databases with the rows of programs. An instance has one today; every call asks here for the one it needs, so that a
 * workspace can have its own (docs/decisions/0043).
 */
export type Shards = {
  /** For an unknown program, a database without it. */
  ofProgram: DatabaseOf
  ofWorkspace: (workspaceId: string) => Database
  /** For what concerns every program, such as recurring jobs. */
  all: Database[]
}

/** For finding a program by a name, and then its rows. */
export type Databases = { directory: Directory; shards: Shards }

export const onlyShard = (db: Database): Shards => ({ ofProgram: () => db, ofWorkspace: () => db, all: [db] })

/** One of something for each database, created when it is first needed. */
export const perDatabase = <T>(open: (db: Database) => T) => {
  const opened = new Map<Database, T>()
  const of = (db: Database) => {
    const one = opened.get(db) ?? open(db)
    opened.set(db, one)
    return one
  }
  return { of, all: () => [...opened.values()] }
}

type Options<Call, Result> = {
  databaseOf: DatabaseOf
  programIdOf: (call: Call) => number
  open: (db: Database) => Batches<Call, Result>
}

/** One queue for each database, because a transaction cannot span two. */
export const queuePerDatabase = <Call, Result>({ databaseOf, programIdOf, open }: Options<Call, Result>) => {
  const queues = perDatabase(open)
  const queueOf = (call: Call) => queues.of(databaseOf(programIdOf(call)))
  const batches: Batches<Call, Result> = {
    run: (keys, call, checks) => queueOf(call).run(keys, call, checks),
    alone: (call) => queueOf(call).alone(call),
    waiting: () => queues.all().reduce((sum, queue) => sum + queue.waiting(), 0),
    drain: async () => {
      await Promise.all(queues.all().map((queue) => queue.drain()))
    },
  }
  return batches
}
