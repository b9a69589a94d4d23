import { type BacktestBlock, backtestRequest } from '@tributary/contract'
import { readDateRange } from '../../../events/overview/days.ts'
import { backtest, type Comparison, totalsOf } from '../../../money/rewards/backtest.ts'
import { refuseOtherCurrency } from '../../../money/rewards/change-reward.ts'
import { proposedTerms } from '../../../money/rewards/proposed-terms.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { refusalBody, refusalOf } from '../../errors.ts'
import { check, readJson } from '../../read-json.ts'
import { STREAM_HEADERS } from '../event-stream.ts'
import { withPartnerNames } from '../partners/partner-names.ts'
import { requireProgram } from '../require-session.ts'

/** In one process, so that comparisons leave most of the database's time to other calls. */
const MOST_RUNNING = 4
const MOST_IN_WORKSPACE = 2

/** POST /api/programs/:programId/reward/backtest: compares terms with those that held. It only reads. */
export const backtests = (app: App, dependencies: Dependencies) => {
  const begin = takingTurns()

  app.post('/api/programs/:programId/reward/backtest', requireProgram(dependencies, 'commission:read'), async (c) => {
    const asked = await readAsked(c, dependencies)
    const end = begin(c.get('program').workspaceId)
    const isStreamed = c.req.header('accept')?.includes('text/event-stream')
    if (isStreamed) return c.body(streamOf(c, dependencies, { asked, end }), 200, STREAM_HEADERS)
    try {
      const data = await run(c, dependencies, { ...asked, onProgress: () => {}, signal: c.req.raw.signal })
      return data ? c.json({ data }) : c.body(null)
    } finally {
      end()
    }
  })
}

/** Refuses whoever would be one too many, and answers how to end the turn. */
const takingTurns = () => {
  const running: string[] = []
  return (workspaceId: string) => {
    if (running.filter((one) => one === workspaceId).length >= MOST_IN_WORKSPACE)
      throw new Refusal(
        'rate_limited',
        `This workspace is running ${MOST_IN_WORKSPACE} comparisons. Wait for one to finish, or cancel one.`,
        { retryAfterSeconds: 5 },
      )
    if (running.length >= MOST_RUNNING)
      throw new Refusal('overloaded', 'Too many comparisons are running. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      })
    running.push(workspaceId)
    return () => void running.splice(running.indexOf(workspaceId), 1)
  }
}

type Running = Parameters<typeof backtest>[1]
type Asked = Omit<Running, 'onProgress' | 'signal'>

const readAsked = async (c: Call, { db }: Dependencies): Promise<Asked> => {
  const { id: programId, currency, timezone } = c.get('program')
  const { terms, from: dateFrom, to: dateTo } = check(backtestRequest, await readJson(c))
  refuseOtherCurrency(terms, { currency, field: 'terms.currency' })
  const { from, before } = await readDateRange(db, timezone, { dateFrom, dateTo })
  if (!from || !before) throw new Error('both ends of the period were sent')
  return { programId, proposed: proposedTerms(terms, currency), from, before }
}

const run = async (c: Call, { db }: Dependencies, running: Running): Promise<BacktestBlock[] | null> => {
  const { currency } = c.get('program')
  const compared = await backtest(db, running)
  if (!compared) return null
  const empty: Comparison = { currency, partners: [], totals: totalsOf([]) }
  const blocks = compared.length > 0 ? compared : [empty]
  return Promise.all(
    blocks.map(async ({ partners, ...block }) => ({
      ...block,
      partners: await withPartnerNames(db, running.programId, partners),
    })),
  )
}

/** Progress while it runs, then the answer. A caller who closes the connection ends it. */
const streamOf = (c: Call, dependencies: Dependencies, { asked, end }: { asked: Asked; end: () => void }) => {
  const gone = new AbortController()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (event: string, data: unknown) => {
        if (!gone.signal.aborted) controller.enqueue(Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      // The answer begins now, not when the customers have been counted.
      controller.enqueue(Buffer.from(': comparing\n\n'))
      const onProgress: Running['onProgress'] = (progress) => send('progress', progress)
      // Not awaited: nothing is delivered before a stream has started.
      void run(c, dependencies, { ...asked, onProgress, signal: gone.signal })
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
