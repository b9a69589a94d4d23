import { isLostConnection } from './bad-weather.ts'
import type { Database } from './connect.ts'
import { inTransaction, type Tx } from './transaction.ts'

export type Story<T> = (tx: Tx) => Promise<T>

type AskAll<Asked, Answer> = (tx: Database | Tx, asked: Asked[]) => Promise<Answer[]>
type Round = { asked: unknown[]; answers: Promise<unknown[]> }

/** Of a transaction that several stories share: the rounds that are being gathered, and what one of them has to itself. */
type Sharing = { rounds: Map<unknown, Round>; taken: Set<string> }
const shared = new WeakMap<object, Sharing>()

/**
 * A question that is put for many at once, and asked by each for itself. Stories that share a transaction come to it at the
 * same time, and then it is one statement for all of them; a story by itself asks it for one.
 */
export const gathered =
  <Asked, Answer>(askAll: AskAll<Asked, Answer>) =>
  async (tx: Database | Tx, asked: Asked): Promise<Answer> => {
    const { rounds } = shared.get(tx) ?? {}
    if (!rounds) return (await askAll(tx, [asked]))[0] as Answer
    const round = rounds.get(askAll) ?? begin(rounds, tx, askAll as AskAll<unknown, unknown>)
    const place = round.asked.push(asked) - 1
    return (await round.answers)[place] as Answer
  }

/** Not at once: whoever else comes to the same question in this turn of the event loop asks it in the same statement. */
const begin = (rounds: Map<unknown, Round>, tx: Database | Tx, askAll: AskAll<unknown, unknown>): Round => {
  const asked: unknown[] = []
  const answers = new Promise<unknown[]>((resolve) =>
    setImmediate(() => {
      rounds.delete(askAll)
      resolve(askAll(tx, asked))
    }),
  )
  const round = { asked, answers }
  rounds.set(askAll, round)
  return round
}

/** Rows that say which question they answer, each at its place. */
export const inPlace = <Row extends { nth: number }>(rows: Row[], asked: unknown[]) => {
  const places: (Omit<Row, 'nth'> | undefined)[] = asked.map(() => undefined)
  for (const { nth, ...row } of rows) places[nth - 1] = row
  return places
}

class NeedsOwnTransaction extends Error {}

/**
 * From here on the story relies on a lock to keep others out, which does not keep out those of its own transaction. Where it
 * shares one, it ends here and is told again alone.
 */
export const onlyAlone = (tx: Tx) => {
  if (shared.has(tx)) throw new NeedsOwnTransaction('this story needs a transaction of its own')
}

/** The same for the second that comes with a name, where it is one thing that the lock is for. */
export const onlyOneWith = (tx: Tx, name: string) => {
  const { taken } = shared.get(tx) ?? {}
  if (taken?.has(name)) onlyAlone(tx)
  taken?.add(name)
}

/** What the rest of a transaction is told after one of its statements failed. */
const ABORTED = '25P02'
const isAtFault = ({ status, reason }: { status: string; reason?: { code?: string } }) =>
  status === 'rejected' && reason?.code !== ABORTED

/**
 * Tells stories that have nothing in common in one transaction, and answers what became of each. One that fails undoes all of
 * them; then it is told alone and the others again without it, so none fails for another's fault.
 */
export const sideBySide = async <T>(db: Database, stories: Story<T>[]): Promise<PromiseSettledResult<T>[]> => {
  const alone = (story: Story<T>) => Promise.allSettled([inTransaction(db, story)])
  if (stories.length < 2) return (await Promise.all(stories.map(alone))).flat()
  const { ended, isCommitted } = await inOneTransaction(db, stories)
  if (isCommitted) return ended
  const atFault = ended.some(isAtFault) ? ended.map(isAtFault) : ended.map(() => true)
  const [again, ...told] = await Promise.all([
    sideBySide(
      db,
      stories.filter((_, place) => !atFault[place]),
    ),
    ...stories.filter((_, place) => atFault[place]).map(alone),
  ])
  const rest = told.flat()
  return atFault.map((isOne) => (isOne ? rest : again).shift() as PromiseSettledResult<T>)
}

const inOneTransaction = async <T>(db: Database, stories: Story<T>[]) => {
  let ended: PromiseSettledResult<T>[] = []
  try {
    await inTransaction(db, async (tx) => {
      shared.set(tx, { rounds: new Map(), taken: new Set() })
      // All of them have ended before the transaction does: nobody is left behind on a connection that another has by then.
      ended = await Promise.allSettled(stories.map((story) => story(tx)))
      const failed = ended.find(isAtFault) ?? ended.find(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
    })
    return { ended, isCommitted: true }
  } catch (error) {
    if (isLostConnection(error)) throw error
    return { ended, isCommitted: false }
  }
}
