import { type BacktestBlock, backtestRequest } from '@tributary/contract'
import { readDateRange } from '../../../events/overview/days.ts'
import { backtest, type Comparison, sumAmounts } from '../../../money/rewards/backtest.ts'
import { requireProgramCurrency } from '../../../money/rewards/change-reward.ts'
import { proposedTerms } from '../../../money/rewards/proposed-terms.ts'
import { findGroup } from '../../../partners/groups.ts'
import { withPartnerNames } from '../../../partners/partner-names.ts'
import { STREAM_HEADERS } from '../../../platform/files.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { refusalBody, refusalOf } from '../../errors.ts'
import { orNotFound } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** Per process, so that backtests leave most of the database to other calls. */
const MAX_RUNNING = 4
const MAX_PER_WORKSPACE = 2

/** POST /api/programs/:programId/reward/backtest: compares proposed terms with the actual ones. Read-only. */
export const backtests = (app: App, dependencies: Dependencies) => {
  const begin = limitRunning()

  app.post('/api/programs/:programId/reward/backtest', requireProgram(dependencies, 'commission:read'), async (c) => {
    const request = await readRequest(c)
    const end = begin(c.get('program').workspaceId)
    const isStreamed = c.req.header('accept')?.includes('text/event-stream')
    if (isStreamed) return c.body(streamOf(c, dependencies, { request, end }), 200, STREAM_HEADERS)
    try {
      const data = await run(c, { ...request, onProgress: () => {}, signal: c.req.raw.signal })
      return data ? c.json({ data }) : c.body(null)
    } finally {
      end()
    }
  })
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

type BacktestOptions = Parameters<typeof backtest>[1]
type BacktestRequest = Omit<BacktestOptions, 'onProgress' | 'signal'>

const readRequest = async (c: Call): Promise<BacktestRequest> => {
  const db = c.get('db')
  const { id: programId, currency, timezone } = c.get('program')
  const { terms, groupId, from: dateFrom, to: dateTo } = check(backtestRequest, await readJson(c))
  requireProgramCurrency(terms, { currency, field: 'terms.currency' })
  const group = groupId === undefined ? null : orNotFound(await findGroup(db, { programId, id: groupId }), 'group')
  const { from, before } = await readDateRange(db, timezone, { dateFrom, dateTo })
  if (!from || !before) throw new Error('the schema requires both ends of the period')
  const replaced = group === null || group.isDefault ? null : group.id
  return { programId, proposed: proposedTerms(terms, currency), groupId: replaced, from, before }
}

const run = async (c: Call, options: BacktestOptions): Promise<BacktestBlock[] | null> => {
  const db = c.get('db')
  const { currency } = c.get('program')
  const compared = await backtest(db, options)
  if (!compared) return null
  const empty: Comparison = { currency, partners: [], totals: sumAmounts([]) }
  const blocks = compared.length > 0 ? compared : [empty]
  return Promise.all(
    blocks.map(async ({ partners, ...block }) => ({
      ...block,
      partners: await withPartnerNames(db, options.programId, partners),
    })),
  )
}

type Stream = { request: BacktestRequest; end: () => void }

/** Sends progress while it runs, then the result. Closing the connection cancels it. */
const streamOf = (c: Call, dependencies: Dependencies, { request, end }: Stream) => {
  const gone = new AbortController()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (event: string, data: unknown) => {
        if (!gone.signal.aborted) controller.enqueue(Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      // Starts the response before the customers are counted.
      controller.enqueue(Buffer.from(': comparing\n\n'))
      const onProgress: BacktestOptions['onProgress'] = (progress) => send('progress', progress)
      // Not awaited, because a stream delivers nothing before `start` returns.
      void run(c, { ...request, onProgress, signal: gone.signal })
        .then((data) => send('result', { data }))
        .catch((error) => {
          const requestId = c.get('requestId')
          send('error', refusalBody(refusalOf(error, { log: dependencies.log, requestId }), requestId))
        })
        .finally(() => {
          end()
          if (!gone.signal.aborted) controller.close()
        })
    },
    cancel: () => gone.abort(),
  })
}
