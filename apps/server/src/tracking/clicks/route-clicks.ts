import type { Database } from '../../database/connect.ts'
import type { Shards } from '../../database/shards.ts'
import type { ClickWriter } from './record-click.ts'

type Route = {
  shards: Shards
  /** The program that a link's `aff` leads to. */
  programOf: (aff: string) => Promise<number | null>
  open: (db: Database) => ClickWriter
}

/** A queue for each shard. With one shard, a click's statement finds the link itself, so no name is looked up. */
export const routeClicks = ({ shards, programOf, open }: Route): ClickWriter => {
  const queues = new Map(shards.all.map((db) => [db, open(db)]))
  const all = [...queues.values()]
  const [only] = all
  if (only && all.length === 1) return only
  return {
    submit: async (click) => {
      const programId = await programOf(click.aff)
      const queue = programId === null ? undefined : queues.get(shards.ofProgram(programId))
      return queue ? queue.submit(click) : { refusal: 'link_not_found' }
    },
    waiting: () => all.reduce((sum, queue) => sum + queue.waiting(), 0),
    delayMs: () => Math.max(...all.map((queue) => queue.delayMs())),
    hasFailedRecently: () => all.some((queue) => queue.hasFailedRecently()),
    drain: async () => {
      await Promise.all(all.map((queue) => queue.drain()))
    },
  }
}
