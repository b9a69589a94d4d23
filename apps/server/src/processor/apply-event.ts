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

/** Through whom an event came: the home of its workspace, and the programs whose connection brought it. */
export type Source = {
  home: Program
  programIds: number[]
  /** The account that the connection is to, as far as it is known. */
  accountId: string | null
  livemode: boolean | null
}

const decided = (fate: 'applied' | 'ignored' | 'refused', reason: EventReason | ReasonCode): Outcome => ({
  reportId: null,
  fate,
  reason,
})

/** A merchant's own endpoint: in which mode its account is, nobody has said. */
const isOwnEndpoint = ({ livemode }: Source) => livemode === null

const isOther = (source: Source, accountId: string | null) =>
  accountId !== null && source.accountId !== null && accountId !== source.accountId

/** Of another account than the one that its connection is to. */
export const isForeign = (source: Source, { accountId }: IncomingEvent) => isOther(source, accountId)

/** A platform that runs on test keys has connections that live in test mode; of what they may do, tests tell. */
const isOfConnection = (source: Source, { livemode }: IncomingEvent) => livemode || source.livemode === false

/** Carries out what an event says, when it comes. */
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
 * An event that was known, and came by another endpoint of its account: payments know it, but what it says about the account
 * is told to each connection by its own endpoint alone. A platform tells all of its connections at once.
 */
export const hearOfAccount = async (tx: Tx, source: Source, event: IncomingEvent) => {
  if (!isOwnEndpoint(source) || !isOfConnection(source, event) || isForeign(source, event)) return
  const said = translate(event)
  if ('report' in said && said.report.says.kind === 'paid') await proveCharges(tx, source.programIds)
  if ('account' in said && !isOther(source, said.account.accountId))
    await changeAccount(tx, source, { ...said.account, at: event.createdAt })
}

/**
 * The same again, for a replay. What an event says about a payment is what it always says; what it said about a connection or
 * a test was true at its time only, and is left as it was decided then: null.
 */
export const applyAgain = async (tx: Tx, deps: Deps, source: Source, event: IncomingEvent): Promise<Outcome | null> => {
  const said = translate(event)
  if (!event.livemode || 'account' in said || 'deauthorized' in said) return null
  return 'report' in said ? applyReport(tx, deps, source, said.report) : decided('ignored', said.ignored)
}

/** Metadata can be edited by people: it may name a program of the workspace that the account belongs to, and no other. */
const areOwn = async (tx: Tx, reports: { source: Source; report: PaymentReport }[]): Promise<boolean[]> => {
  const programIds = reports.flatMap(({ report }) => report.attribution?.programId ?? [])
  const programs = new Map((await findPrograms(tx, programIds)).map((program) => [program.id, program]))
  return reports.map(
    ({ source, report: { attribution } }) =>
      attribution === null || programs.get(attribution.programId)?.workspaceId === source.home.workspaceId,
  )
}

export type Reported = { source: Source; report: PaymentReport }

/** What an event says of a payment, where it says nothing else: many of those are applied at once. */
export const reportIn = (source: Source, event: IncomingEvent): PaymentReport | null => {
  if (isForeign(source, event) || !event.livemode) return null
  const said = translate(event)
  return 'report' in said ? said.report : null
}

/** Applies what was reported of payments. */
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
  // An account of its own says what it may do only if it is asked to; that it was paid says enough.
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

/** A test payment shows that the webhook and its metadata arrive. It makes no money, and there may be only so many. */
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
