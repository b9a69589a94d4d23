import type { EventReason, ReasonCode } from '@tributary/contract'
import type { Recorder } from '../clock.ts'
import { findClicksOfWorkspaces, hashEmail } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import {
  endConnection,
  markChargesEnabled,
  programsOfAccount,
  recordAccount,
  updateAccountFlags,
} from '../programs/processor-connections.ts'
import { findPrograms, type Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { programOfClickId } from '../tracking/clicks/click-ids.ts'
import { learnProcessorCodes } from '../tracking/codes/learn-codes.ts'
import { bindNamedPayer } from '../tracking/payments/bind-named-payer.ts'
import { learnCustomer } from '../tracking/payments/learn-payers.ts'
import { type IncomingReport, recordPaymentReports } from '../tracking/payments/sync-payments.ts'
import { recordTestEventIn } from '../tracking/set-up/record-test-event.ts'
import { releaseAccount } from './connections/accounts.ts'
import type { Outcome } from './inbox.ts'
import { payerIn, translate as translateEvent } from './translate-event.ts'
import type {
  AccountFlags,
  AssignedCustomer,
  AssignedReport,
  IncomingEvent,
  LearnedCode,
  NamedPayer,
  Translation,
} from './translation.ts'

/** Where an event came from: the workspace's inbox program (processor/inbox-programs.ts), and the connection that delivered it. */
export type Source = {
  inboxProgram: Program
  /** The program of a merchant's own endpoint. Null for the platform's, which serves several: its payments name their program. */
  endpointProgramId: number | null
  /** Whose connections the event may change. */
  programIds: number[]
  /** The connection's account, if known. */
  accountId: string | null
  livemode: boolean | null
  /** The connection is known to accept charges. */
  chargesEnabled?: boolean
}

const outcomeOf = (fate: 'applied' | 'ignored' | 'refused', reason: EventReason | ReasonCode): Outcome => ({
  reportId: null,
  fate,
  reason,
})

const translate = ({ endpointProgramId }: Source, event: IncomingEvent) => translateEvent(event, endpointProgramId)

/** A merchant's own endpoint, whose mode is unknown. */
const isOwnEndpoint = ({ livemode }: Source) => livemode === null

const isOtherAccount = (source: Source, accountId: string | null) =>
  accountId !== null && source.accountId !== null && accountId !== source.accountId

/** Whether the event belongs to an account other than the connection's. */
export const isForeign = (source: Source, { accountId }: IncomingEvent) => isOtherAccount(source, accountId)

/** A platform on test keys has test-mode connections, whose account events are real. */
const concernsConnection = (source: Source, { livemode }: IncomingEvent) => livemode || source.livemode === false

/** Why an event without a payment changed nothing. In test mode the reason is the same as in live mode, if that would change nothing. */
const reasonOf = (translation: Translation<AssignedReport>, { livemode }: IncomingEvent) => {
  if ('ignored' in translation) return translation.ignored
  if ('learned' in translation) return livemode ? 'code_learned' : 'test_mode'
  return 'customer' in translation && livemode ? 'nothing_paid' : 'test_mode'
}

/** Applies an event when it arrives. */
export const applyEvent = async (tx: Tx, deps: Recorder, source: Source, event: IncomingEvent): Promise<Outcome> => {
  if (isForeign(source, event)) return outcomeOf('refused', 'foreign_account')
  const translation = translate(source, event)
  if ('account' in translation && concernsConnection(source, event)) {
    if (isOtherAccount(source, translation.account.accountId)) return outcomeOf('refused', 'foreign_account')
    await updateAccount(tx, source, { ...translation.account, processor: event.processor, at: event.createdAt })
    return outcomeOf('applied', 'account_changed')
  }
  if ('deauthorized' in translation && isOwnEndpoint(source)) return outcomeOf('ignored', 'not_by_platform')
  if ('deauthorized' in translation && concernsConnection(source, event) && event.accountId) {
    await deauthorizeAccount(tx, event.processor, { accountId: event.accountId, at: event.createdAt })
    return outcomeOf('applied', 'account_disconnected')
  }
  if ('report' in translation && event.livemode) return applyReport(tx, deps, source, event, translation)
  if ('report' in translation && translation.report.says.kind === 'paid')
    return applyTestPayment(tx, deps, source, event, translation.report)
  if ('customer' in translation && event.livemode) await bindCustomer(tx, deps, source, translation.customer)
  if (event.livemode) await learnPayer(tx, deps, source, event)
  if ('learned' in translation && event.livemode) {
    await learnCodesOf(tx, deps, source, translation.learned)
    return outcomeOf('applied', 'code_learned')
  }
  return outcomeOf('ignored', reasonOf(translation, event))
}

/** Whether `learnPayer` has something to learn. */
const namesPayer = (event: IncomingEvent) => event.livemode && Boolean(payerIn(event)?.customerId)

/** The address of a customer whom the event names without a payment. */
const learnPayer = async (tx: Tx, deps: Recorder, { inboxProgram }: Source, event: IncomingEvent) => {
  const { email = null, customerId } = payerIn(event) ?? {}
  const stated = hashEmail(deps.hashKey, email)
  if (!stated || !customerId) return
  await learnCustomer(tx, deps, { inboxProgramId: inboxProgram.id, customerId, mailboxHash: stated.mailboxHash })
}

/** Adds the hash of the payer's address. Refunds and disputes are not the payer's. */
const withPayer = (report: AssignedReport, { hashKey }: Recorder, event: IncomingEvent): AssignedReport => {
  const isPayment = report.says.kind === 'paid' || report.says.kind === 'pending'
  const stated = isPayment ? hashEmail(hashKey, payerIn(event)?.email ?? null) : null
  return stated ? { ...report, payer: stated.mailboxHash.toString('hex') } : report
}

/** The program of the attribution is checked like that of a payment. */
const bindCustomer = async (tx: Tx, deps: Recorder, source: Source, { attribution, ...customer }: NamedPayer) => {
  const { inboxProgram } = source
  const { programId = null } = attribution ?? {}
  const named = attribution && programId !== null ? { ...attribution, programId } : null
  await bindNamedPayer(tx, deps, { inboxProgram, ...customer, attribution: await settleProgram(tx, source, named) })
}

const learnCodesOf = (tx: Tx, deps: Recorder, { inboxProgram }: Source, learned: LearnedCode[]) =>
  learnProcessorCodes(tx, deps, {
    inboxProgram,
    learned: learned.map(({ id: reference, text = null, sameAs = null }) => ({ reference, code: text, sameAs })),
  })

/** Two programs of a workspace can sell through one account, which sends every payment to both endpoints. */
const settleProgram = async (tx: Tx, { inboxProgram }: Source, attribution: AssignedCustomer | null) => {
  if (!attribution?.isAssumed) return attribution
  const { isAssumed: _, ...named } = attribution
  const { clickId } = named
  const programId = clickId === null ? null : programOfClickId(clickId)
  if (clickId === null || programId === null || programId === named.programId) return named
  const isKnown = undefined as { lastClickedAt: Date } | undefined
  const click = { programId, clickId, workspaceId: inboxProgram.workspaceId, isKnown }
  await findClicksOfWorkspaces(tx, [click])
  return click.isKnown ? { ...named, programId } : named
}

/**
 * Handles a known event that arrives through another endpoint of its account. The payment is already recorded, but each merchant's
 * own endpoint updates its own connection. A platform event updates all its connections.
 */
export const updateAccountFromDuplicate = async (tx: Tx, source: Source, event: IncomingEvent) => {
  if (!isOwnEndpoint(source) || !concernsConnection(source, event) || isForeign(source, event)) return
  const translation = translate(source, event)
  if ('report' in translation && translation.report.says.kind === 'paid')
    await markChargesEnabled(tx, event.processor, source.programIds)
  if ('account' in translation && !isOtherAccount(source, translation.account.accountId))
    await updateAccount(tx, source, { ...translation.account, processor: event.processor, at: event.createdAt })
}

/**
 * Reapplies an event for a replay. Payment data never changes; account changes and tests were valid only at their time, so their
 * decision stays: null.
 */
export const reapplyEvent = async (
  tx: Tx,
  deps: Recorder,
  source: Source,
  event: IncomingEvent,
): Promise<Outcome | null> => {
  const translation = translate(source, event)
  if (!event.livemode || 'account' in translation || 'deauthorized' in translation) return null
  if ('customer' in translation) await bindCustomer(tx, deps, source, translation.customer)
  if (!('report' in translation)) await learnPayer(tx, deps, source, event)
  if ('learned' in translation) {
    await learnCodesOf(tx, deps, source, translation.learned)
    return outcomeOf('applied', 'code_learned')
  }
  return 'report' in translation
    ? applyReport(tx, deps, source, event, translation)
    : outcomeOf('ignored', reasonOf(translation, event))
}

/** A report, with what is filled in when it is applied. */
export type SourcedReport = {
  source: Source
  event: IncomingEvent
  report: AssignedReport
  belongs?: boolean
  /** Null if the report must be applied without others. Then nothing is applied, and the others get nothing. */
  applied?: Outcome | null | undefined
}

/** Metadata is editable, so it may only name a program of the workspace that owns the account. */
const checkOwners = async (tx: Tx, reports: SourcedReport[]) => {
  const others: { row: SourcedReport; programId: number }[] = []
  for (const row of reports) {
    const attribution = await settleProgram(tx, row.source, row.report.attribution)
    row.report = { ...row.report, attribution }
    row.belongs = attribution === null || attribution.programId === row.source.inboxProgram.id
    if (attribution && !row.belongs) others.push({ row, programId: attribution.programId })
  }
  const found = await findPrograms(
    tx,
    others.map(({ programId }) => programId),
  )
  const programs = new Map(found.map((program) => [program.id, program]))
  for (const { row, programId } of others)
    row.belongs = programs.get(programId)?.workspaceId === row.source.inboxProgram.workspaceId
}

/** What an event means if that depends on nothing else: exactly one payment report, or no effect. Such events are applied in batches. */
export const readBatchable = (
  source: Source,
  event: IncomingEvent,
): { report: AssignedReport } | { known: Outcome } | null => {
  if (isForeign(source, event)) return null
  const translation = translate(source, event)
  if ('ignored' in translation) return namesPayer(event) ? null : { known: outcomeOf('ignored', translation.ignored) }
  return event.livemode && 'report' in translation && !translation.further ? { report: translation.report } : null
}

/** Applies payment reports and fills in their outcomes. */
export const applyReports = async (tx: Tx, deps: Recorder, reports: SourcedReport[]) => {
  await checkOwners(tx, reports)
  const own = reports.filter(({ belongs }) => belongs)
  const incoming = own.map((row): IncomingReport & { row: SourcedReport } => ({
    row,
    inboxProgram: row.source.inboxProgram,
    report: withPayer(row.report, deps, row.event),
  }))
  if (incoming.length > 0) await recordPaymentReports(tx, deps, incoming)
  // A merchant's own account does not report its capabilities, so a payment proves that charges are enabled.
  const paid = own.filter(
    ({ source, report }) => report.says.kind === 'paid' && isOwnEndpoint(source) && !source.chargesEnabled,
  )
  for (const [processor, rows] of Map.groupBy(paid, ({ event }) => event.processor))
    await markChargesEnabled(tx, processor, [...new Set(rows.flatMap(({ source }) => source.programIds))])
  for (const row of reports) row.applied = outcomeOf('refused', 'program_of_others')
  for (const { row, paymentId, reportId } of incoming) {
    if (reportId !== undefined) row.applied = { reportId, fate: null, reason: null }
    else row.applied = paymentId === null ? null : undefined
  }
}

type Reported = { report: SourcedReport['report']; further?: SourcedReport['report'][] }

const applyReport = async (
  tx: Tx,
  deps: Recorder,
  source: Source,
  event: IncomingEvent,
  { report, further = [] }: Reported,
): Promise<Outcome> => {
  const row: SourcedReport = { source, event, report }
  await applyReports(tx, deps, [row])
  for (const other of further) await applyReports(tx, deps, [{ source, event, report: other }])
  if (!row.applied) throw new Error('a report that is applied alone must have an outcome')
  return row.applied
}

/** A test payment that names something of ours shows that the webhook and its metadata arrive. It creates no money and is rate limited. */
const applyTestPayment = async (
  tx: Tx,
  { clock }: Recorder,
  source: Source,
  event: IncomingEvent,
  reported: SourcedReport['report'],
): Promise<Outcome> => {
  if (!reported.attribution && !reported.clickReference) return outcomeOf('ignored', 'test_without_metadata')
  const row: SourcedReport = { source, event, report: reported }
  await checkOwners(tx, [row])
  const { report } = row
  if (!row.belongs) return outcomeOf('refused', 'program_of_others')
  const programId = report.attribution?.programId ?? source.programIds[0] ?? source.inboxProgram.id
  const details = { references: report.references, customer_key: report.attribution?.customerKey ?? null }
  try {
    await recordTestEventIn(tx, clock, { programId, eventType: 'sale', origin: 'processor', details })
    return outcomeOf('applied', 'test_sale')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') return outcomeOf('ignored', 'too_many_tests')
    throw error
  }
}

type Change = { processor: string; accountId: string | null; flags: AccountFlags; at: Date }

/** Stores the account's capabilities. For a merchant's own account, this is also the only event that names it. */
const updateAccount = async (tx: Tx, { programIds }: { programIds: number[] }, change: Change) => {
  const { processor, accountId, flags, at } = change
  await updateAccountFlags(tx, processor, programIds, { ...flags, at })
  if (accountId) for (const programId of programIds) await recordAccount(tx, { programId, processor }, accountId)
}

/**
 * The merchant deauthorized the platform: disconnects every program of the account. Ignores connections made after the event,
 * whose timestamp has whole seconds.
 */
const deauthorizeAccount = async (tx: Tx, processor: string, { accountId, at }: { accountId: string; at: Date }) => {
  for (const { programId, connectedAt } of await programsOfAccount(tx, accountId))
    if (!connectedAt || Math.floor(connectedAt.getTime() / 1000) * 1000 <= at.getTime())
      await endConnection(tx, { programId, processor }, { kind: 'platform', at })
  await releaseAccount(tx, accountId)
}
