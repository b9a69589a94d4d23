import type { BacktestRequest } from '@tributary/contract'
import { BACKTESTS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { readDateRange } from '../../events/overview/days.ts'
import { findGroup } from '../../partners/groups.ts'
import { withPartnerNames } from '../../partners/partner-names.ts'
import { eventStream } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs, type Stream } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { backtest, type Comparison, sumAmounts } from '../rewards/backtest.ts'
import { requireProgramCurrency } from '../rewards/change-reward.ts'
import { proposedTerms } from '../rewards/requested-terms.ts'

/** Per process, so that backtests leave most of the database to other calls. */
const MAX_RUNNING = 4
const MAX_PER_WORKSPACE = 2

/** Compares proposed terms with the actual ones. Read-only. */
export const backtests = () => {
  const begin = limitRunning()
  return runs(
    BACKTESTS,
    {},
    {
      compare: {
        // Reads in many short snapshots.
        ownTransactions: async ({ db, program, body, stream, signal }) => {
          const period = await readPeriod(db, program, body)
          const end = begin(program.workspaceId)
          const run = (watch: Watch) => compare(db, program, { ...period, ...watch }).finally(end)
          if (!stream) return run({ onProgress: () => {}, signal })
          return eventStream(streamOf(run, stream))
        },
      },
    },
  )
}

/** Throws if too many backtests are running. Returns a function to call when this one ends. */
const limitRunning = () => {
  const running: string[] = []
  return (workspaceId: string) => {
    if (running.filter((one) => one === workspaceId).length >= MAX_PER_WORKSPACE)
      throw new Refusal(
        'rate_limited',
        `This workspace is already running ${MAX_PER_WORKSPACE} backtests. Wait for one to finish, or cancel one.`,
        { retryAfterSeconds: 5 },
      )
    if (running.length >= MAX_RUNNING)
      throw new Refusal('overloaded', 'Too many backtests are running. Try again in a few seconds.', {
        reason: 'too_many_backtests',
        retryAfterSeconds: 5,
      })
    running.push(workspaceId)
    return () => void running.splice(running.indexOf(workspaceId), 1)
  }
}

type Options = Parameters<typeof backtest>[1]
type Watch = Pick<Options, 'onProgress' | 'signal'>
type Period = Omit<Options, keyof Watch>

const readPeriod = async (
  db: Database,
  program: Program,
  { terms, against, groupId, from, to }: BacktestRequest,
): Promise<Period> => {
  const { id: programId, currency, timezone } = program
  requireProgramCurrency(terms, { currency, field: 'terms.currency' })
  if (against) requireProgramCurrency(against, { currency, field: 'against.currency' })
  const group = groupId === undefined ? null : orNotFound(await findGroup(db, { programId, id: groupId }), 'group')
  const range = await readDateRange(db, timezone, { dateFrom: from, dateTo: to })
  if (!range.from || !range.before) throw new Error('the schema requires both ends of the period')
  const replaced = group === null || group.isDefault ? null : group.id
  const proposed = proposedTerms(terms, currency)
  const other = against ? proposedTerms(against, currency) : null
  return { programId, proposed, against: other, groupId: replaced, from: range.from, before: range.before }
}

/** Empty if the caller has left meanwhile. */
const compare = async (db: Database, { id: programId, currency }: Program, options: Options) => {
  const compared = (await backtest(db, options)) ?? []
  const empty: Comparison = { currency, partners: [], totals: sumAmounts([]) }
  const blocks = compared.length > 0 ? compared : [empty]
  return Promise.all(
    blocks.map(async ({ partners, ...block }) => ({
      ...block,
      partners: await withPartnerNames(db, programId, partners),
    })),
  )
}

/** Sends progress while it runs, then the result. Closing the connection cancels it. */
const streamOf = (run: (watch: Watch) => Promise<unknown>, { errorBody }: Stream) => {
  const gone = new AbortController()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (event: string, data: unknown) => {
        if (!gone.signal.aborted) controller.enqueue(Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      // Starts the response before the customers are counted.
      controller.enqueue(Buffer.from(': comparing\n\n'))
      // Not awaited, because a stream delivers nothing before `start` returns.
      void run({ onProgress: (progress) => send('progress', progress), signal: gone.signal })
        .then((data) => send('result', { data }))
        .catch((error) => send('error', errorBody(error)))
        .finally(() => {
          if (!gone.signal.aborted) controller.close()
        })
    },
    cancel: () => gone.abort(),
  })
}
