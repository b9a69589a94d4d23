import type { EventReason, ReasonCode } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import { type Outcome as InBatch, isDismissed } from '../database/batches.ts'
import { forSome } from '../database/sql/many.ts'
import type { Tx } from '../database/transaction.ts'
import type { PaymentReport } from '../payments/payment-report.ts'
import { proveCharges } from '../programs/processor-connections.ts'
import { findPrograms, type Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { recordPaymentReports } from '../tracking/payments/record-payment-report.ts'
import { recordTestEventIn } from '../tracking/set-up/record-test-event.ts'
import { changeAccount, leaveAccount } from './connections/follow-account.ts'
import type { Outcome } from './inbox.ts'
import { translate } from './stripe/translate.ts'
import type { IncomingEvent } from './translation.ts'

export type Deps = { clock: Clock; hashKey: string }

/** Where an event came from: the workspace's primary program, and the programs whose connection delivered it. */
export type Source = {
  home: Program
  programIds: number[]
  /** The connection's account, if known. */
  accountId: string | null
  livemode: boolean | null
}

const decided = (fate: 'applied' | 'ignored' | 'refused', reason: EventReason | ReasonCode): Outcome => ({
  reportId: null,
  fate,
  reason,
})

/** A merchant's own endpoint, whose mode is unknown. */
const isOwnEndpoint = ({ livemode }: Source) => livemode === null

const isOther = (source: Source, accountId: string | null) =>
  accountId !== null && source.accountId !== null && accountId !== source.accountId

/** Whether the event belongs to an account other than the connection's. */
export const isForeign = (source: Source, { accountId }: IncomingEvent) => isOther(source, accountId)

/** A platform on test keys has test-mode connections, whose account events are real. */
const isOfConnection = (source: Source, { livemode }: IncomingEvent) => livemode || source.livemode === false

/** Applies an event when it arrives. */
export const applyEvent = async (tx: Tx, deps: Deps, source: Source, event: IncomingEvent): Promise<Outcome> => {
  if (isForeign(source, event)) return decided('refused', 'foreign_account')
  const said = translate(event)
  if ('account' in said && isOfConnection(source, event)) {
    if (isOther(source, said.account.accountId)) return decided('refused', 'foreign_account')
    await changeAccount(tx, source, { ...said.account, at: event.createdAt })
    return decided('applied', 'account_changed')
  }
  if ('deauthorized' in said && isOwnEndpoint(source)) return decided('ignored', 'not_by_platform')
  if ('deauthorized' in said && isOfConnection(source, event) && event.accountId) {
    await leaveAccount(tx, { accountId: event.accountId, at: event.createdAt })
    return decided('applied', 'account_disconnected')
  }
  if ('report' in said && event.livemode) return applyReport(tx, deps, source, said.report)
  if ('report' in said && said.report.says.kind === 'paid') return applyTest(tx, deps, source, said.report)
  return decided('ignored', 'ignored' in said && event.livemode ? said.ignored : 'test_mode')
}

/**
 * Handles a known event that arrives through another endpoint of its account. The payment is already recorded, but each merchant's
 * own endpoint updates its own connection. A platform event updates all its connections.
 */
export const hearOfAccount = async (tx: Tx, source: Source, event: IncomingEvent) => {
  if (!isOwnEndpoint(source) || !isOfConnection(source, event) || isForeign(source, event)) return
  const said = translate(event)
  if ('report' in said && said.report.says.kind === 'paid') await proveCharges(tx, source.programIds)
  if ('account' in said && !isOther(source, said.account.accountId))
    await changeAccount(tx, source, { ...said.account, at: event.createdAt })
}

/**
 * Reapplies an event for a replay. Payment data never changes; account changes and tests were valid only at their time, so their
 * decision stays: null.
 */
export const applyAgain = async (tx: Tx, deps: Deps, source: Source, event: IncomingEvent): Promise<Outcome | null> => {
  const said = translate(event)
  if (!event.livemode || 'account' in said || 'deauthorized' in said) return null
  return 'report' in said ? applyReport(tx, deps, source, said.report) : decided('ignored', said.ignored)
}

/** Metadata is editable, so it may only name a program of the workspace that owns the account. */
const areOwn = async (tx: Tx, reports: { source: Source; report: PaymentReport }[]): Promise<boolean[]> => {
  const programIds = reports.flatMap(({ report }) => report.attribution?.programId ?? [])
  const programs = new Map((await findPrograms(tx, programIds)).map((program) => [program.id, program]))
  return reports.map(
    ({ source, report: { attribution } }) =>
      attribution === null || programs.get(attribution.programId)?.workspaceId === source.home.workspaceId,
  )
}

export type Reported = { source: Source; report: PaymentReport }

/** The payment report in an event, if that is all it contains; these are applied in batches. */
export const reportIn = (source: Source, event: IncomingEvent): PaymentReport | null => {
  if (isForeign(source, event) || !event.livemode) return null
  const said = translate(event)
  return 'report' in said ? said.report : null
}

/** Applies payment reports. */
export const applyReports = async (tx: Tx, deps: Deps, reports: Reported[]): Promise<InBatch<Outcome>[]> => {
  const own = await areOwn(tx, reports)
  const recorded = await forSome(
    reports,
    (_, place) => own[place] ?? false,
    (some) =>
      recordPaymentReports(
        tx,
        deps,
        some.map(({ source, report }) => ({ home: source.home, report })),
      ),
  )
  // A merchant's own account does not report its capabilities, so a payment proves that charges are enabled.
  const paid = reports.filter(
    ({ source, report }, place) => own[place] && report.says.kind === 'paid' && isOwnEndpoint(source),
  )
  await proveCharges(tx, [...new Set(paid.flatMap(({ source }) => source.programIds))])
  return recorded.map((report) => {
    if (report === undefined) return decided('refused', 'program_of_others')
    return isDismissed(report) ? report : { reportId: report.reportId, fate: null, reason: null }
  })
}

const applyReport = async (tx: Tx, deps: Deps, source: Source, report: PaymentReport): Promise<Outcome> => {
  const [outcome] = await applyReports(tx, deps, [{ source, report }])
  return outcome as Outcome
}

/** A test payment shows that the webhook and its metadata arrive. It creates no money and is rate limited. */
const applyTest = async (tx: Tx, { clock }: Deps, source: Source, report: PaymentReport): Promise<Outcome> => {
  const [isOwn] = await areOwn(tx, [{ source, report }])
  if (!isOwn) return decided('refused', 'program_of_others')
  const programId = report.attribution?.programId ?? source.programIds[0] ?? source.home.id
  const details = { references: report.references, customer_key: report.attribution?.customerKey ?? null }
  try {
    await recordTestEventIn(tx, clock, { programId, eventType: 'sale', origin: 'processor', details })
    return decided('applied', 'test_sale')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') return decided('ignored', 'too_many_tests')
    throw error
  }
}
