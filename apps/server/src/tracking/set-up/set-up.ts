import type { SetUp, SetUpArrival, TestOrigin } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { latestTestFrom } from '../../events/test-events.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { hasApprovedPartner } from '../../partners/partners.ts'
import { hasWorkingLink } from '../../partners/referral-links.ts'
import { findProcessorConnection } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'

/** How many recent leads are searched for hints. Hints never complete a step. */
const HINT_LEADS = 1_000

type Steps = SetUp['steps']
/** The caller adds the processor's events. */
export type SetUpSteps = Omit<Steps, 'payments'> & { payments: Omit<Steps['payments'], 'events'> }

/** What each setup step has received so far. Add new steps here and in the contract. */
export const setUpSteps = async (
  db: Database,
  { program, at }: { program: Program; at: Date },
): Promise<SetUpSteps> => {
  const [terms, script, signUps, payments, partner, link] = await Promise.all([
    termsAt(db, { programId: program.id, partnerId: null, at }),
    scriptStep(db, program.id),
    signUpsStep(db, program),
    paymentsStep(db, program),
    partnerStep(db, program.id),
    hasWorkingLink(db, program.id),
  ])
  const hasReward =
    terms !== null && (terms.leadAmountCents !== null || terms.saleDuration !== null || terms.saleRules !== null)
  return {
    website: { done: program.websites.length > 0 },
    reward: { done: hasReward },
    script,
    signUps,
    payments,
    partner,
    link: { done: link },
  }
}

type Found = { at: Date; page?: string | null } | undefined

const realArrival = (found: Found, from: SetUpArrival['from']): SetUpArrival | null =>
  found ? { at: found.at.toISOString(), test: false, from, page: found.page ?? null } : null

type TestQuery = { programId: number; eventType: 'click' | 'lead' | 'sale'; from: SetUpArrival['from'] }

const findTestArrival = async (
  db: Database,
  { programId, eventType, from }: TestQuery,
): Promise<SetUpArrival | null> => {
  const event = await latestTestFrom(db, { programId, eventType, origins: [from] })
  const page = (event?.details as { page_url?: string | null } | undefined)?.page_url ?? null
  return event ? { at: event.createdAt.toISOString(), test: true, from, page } : null
}

/** Prefers a real event over a test, because it proves more. */
const latestArrival = (arrivals: (SetUpArrival | null)[]) => {
  const known = arrivals.filter((arrival) => arrival !== null).toSorted((a, b) => (a.at < b.at ? 1 : -1))
  const best = known.find((arrival) => !arrival.test) ?? known[0] ?? null
  return { done: best !== null, received: best }
}

const findCheckedAt = async (db: Database, programId: number, eventType: 'click' | 'lead') => {
  const origins: TestOrigin[] = ['dashboard']
  return (await latestTestFrom(db, { programId, eventType, origins }))?.createdAt.toISOString() ?? null
}

const scriptStep = async (db: Database, programId: number): Promise<Steps['script']> => {
  const { rows } = await sql<{ at: Date; page: string | null }>`
    SELECT clicked_at AS at, page_url AS page FROM click_events
    WHERE program_id = ${programId} ORDER BY clicked_at DESC LIMIT 1`.execute(db)
  const tested = await findTestArrival(db, { programId, eventType: 'click', from: 'browser' })
  return {
    ...latestArrival([realArrival(rows[0], 'browser'), tested]),
    checkedAt: await findCheckedAt(db, programId, 'click'),
  }
}

const latestLead = async (db: Database, programId: number, settledBy: SetUpArrival['from']) => {
  const { rows } = await sql<{ at: Date }>`
    SELECT settled_at AS at FROM leads WHERE program_id = ${programId} AND settled_by = ${settledBy}
      AND settled_at IS NOT NULL ORDER BY settled_at DESC LIMIT 1`.execute(db)
  return realArrival(rows[0], settledBy)
}

const latestProvisional = async (db: Database, programId: number) => {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT max(created_at) FILTER (WHERE state = 'provisional') AS at
    FROM (SELECT created_at, state FROM leads WHERE program_id = ${programId}
      ORDER BY created_at DESC LIMIT ${sql.lit(HINT_LEADS)}) lead`.execute(db)
  return rows[0]?.at?.toISOString() ?? null
}

const signUpsStep = async (db: Database, { id: programId, leadAuth }: Program): Promise<Steps['signUps']> => {
  const arrivals = [
    await latestLead(db, programId, 'server'),
    // The lead call came without a key, or not at all, but the payment made it count.
    await latestLead(db, programId, 'processor'),
    await findTestArrival(db, { programId, eventType: 'lead', from: 'server' }),
  ]
  // Programs that accept browser leads can complete the step that way too.
  if (leadAuth === 'browser_allowed')
    arrivals.push(
      await latestLead(db, programId, 'browser'),
      await findTestArrival(db, { programId, eventType: 'lead', from: 'browser' }),
    )
  return {
    ...latestArrival(arrivals),
    checkedAt: await findCheckedAt(db, programId, 'lead'),
    provisionalAt: await latestProvisional(db, programId),
  }
}

type Mode = Program['paymentTrackingMode']
const PATHS = { s2s: 'server', processor_connect: 'processor' } as const satisfies Record<Mode, SetUpArrival['from']>
const REPORTERS: Record<Mode, string> = { s2s: 'merchant', processor_connect: 'processor' }

const latestSale = async (db: Database, programId: number, mode: Mode) => {
  const { rows } = await sql<{ at: Date }>`
    SELECT sold_at AS at FROM sales WHERE program_id = ${programId} AND reported_by = ${REPORTERS[mode]}
    ORDER BY sold_at DESC LIMIT 1`.execute(db)
  return realArrival(rows[0], PATHS[mode])
}

const hasCreditedSale = async (
  db: Database,
  programId: number,
  { mode, after }: { mode: Mode; after: string | null },
) => {
  const { rows } = await sql`
    SELECT FROM sales WHERE program_id = ${programId} AND partner_id IS NOT NULL AND reported_by = ${REPORTERS[mode]}
      AND voided_at IS NULL AND merged_into IS NULL AND sold_at > coalesce(${after}::timestamptz, '-infinity')
    LIMIT 1`.execute(db)
  return rows.length > 0
}

const paymentsStep = async (db: Database, program: Program): Promise<SetUpSteps['payments']> => {
  const { id: programId, paymentTrackingMode: mode } = program
  const by = async (path: Mode) =>
    latestArrival([
      await latestSale(db, programId, path),
      await findTestArrival(db, { programId, eventType: 'sale', from: PATHS[path] }),
    ])
  const other = mode === 's2s' ? 'processor_connect' : 's2s'
  const { status } = await findProcessorConnection(db, programId)
  // Payments that arrived before the processor was disconnected do not mean that the next one will.
  const isReceiving = (path: Mode) => path === 's2s' || status === 'connected' || status === 'restricted'
  const { done, received } = await by(mode)
  const isTracked = done && isReceiving(mode)
  // After the latest sale of the program's own mode: if that mode broke, older sales of the other do not hide it.
  const isTrackedOtherwise =
    !isTracked &&
    isReceiving(other) &&
    (await hasCreditedSale(db, programId, { mode: other, after: received?.at ?? null }))
  return {
    done: isTracked || isTrackedOtherwise,
    received,
    mode,
    switchTo: isTrackedOtherwise ? other : null,
    otherPath: (await by(other)).received,
    connection: status as Steps['payments']['connection'],
  }
}

const partnerStep = async (db: Database, programId: number): Promise<Steps['partner']> => {
  const some = await db.selectFrom('partners').select('id').where('programId', '=', programId).limit(2).execute()
  return { done: await hasApprovedPartner(db, programId), total: some.length }
}
