import { type Explanation, type ReasonCode, type Step, say } from '@tributary/contract'
import { isWithinWindow } from '../../attribution/attribution.ts'
import { explainPlainly, toSubject } from '../../explain/answer.ts'
import { toStep, withSteps } from '../../explain/parts.ts'
import { cameAsTest, findClick, findLead, findSale, salesOfCustomer } from '../../explain/subjects.ts'
import { findPayment, listReferences } from '../../payments/payments.ts'
import { findOtherInboxProgramId } from '../../payments/workspace-programs.ts'
import type { Program } from '../../programs/programs.ts'
import { type Dependencies, explainLead, explainSale, loadWords, type Viewer } from './explain.ts'
import { explainPayment } from './explain-payment.ts'
import { explainUnreportedEvent, type UnreportedEvent } from './explain-unreported-event.ts'

type Question<Field extends string> = { viewer: Viewer } & Record<Field, string>

/** Finds a processor event that produced no report. Injected, because operations do not know the processor module. */
type UnreportedEvents = { findUnreportedEvent: (references: string[]) => Promise<UnreportedEvent | null> }

/** Reasons that leave the customer open. A rejected processor event may have named one. */
const UNKNOWN_CUSTOMER: ReasonCode[] = ['no_metadata', 'references_joined', 'refund_before_sale', 'dispute_before_sale']

/** Explains an invoice or any other reference of a payment, even one that never arrived. */
export const explainInvoice = async (
  dependencies: Dependencies & UnreportedEvents,
  { viewer, invoiceId }: Question<'invoiceId'>,
): Promise<Explanation> => {
  const { db, findUnreportedEvent } = dependencies
  const { programId } = viewer
  // The workspace's inbox program (processor/inbox-programs.ts) comes first; the sale's program may hold only the
  // reference.
  for (const inboxProgramId of [await findOtherInboxProgramId(db, programId), programId]) {
    const paymentId =
      inboxProgramId === null ? null : await findPayment(db, { programId: inboxProgramId, reference: invoiceId })
    if (inboxProgramId === null || paymentId === null) continue
    const answer = await explainPayment(dependencies, { viewer, invoiceId, inboxProgramId, paymentId })
    if (!answer) continue
    if (!UNKNOWN_CUSTOMER.includes(answer.reason) || answer.subject.kind === 'sale') return answer
    const event = await findUnreportedEvent(await listReferences(db, { programId: inboxProgramId, paymentId }))
    if (event?.reason !== 'program_of_others') return answer
    const refused = explainUnreportedEvent({ viewer, invoiceId, event })
    return { ...refused, timeline: sortByTime([...answer.timeline, ...refused.timeline]) }
  }
  const sale = await findSale(db, { programId, invoiceId })
  if (sale) return explainSale(dependencies, { viewer, sale })
  const event = await findUnreportedEvent([invoiceId])
  if (event) return explainUnreportedEvent({ viewer, invoiceId, event })
  const isTest = await cameAsTest(db, { programId, type: 'sale', field: 'invoice_id', value: invoiceId })
  const reason = isTest ? 'invoice_only_as_test' : 'invoice_never_received'
  return explainPlainly(
    { kind: 'invoice', ...forMerchant(viewer, { invoiceId }) },
    { reason, audience: viewer.audience },
  )
}

/** Explains a customer's lead and sales. */
export const explainCustomer = async (
  dependencies: Dependencies,
  { viewer: requestedBy, customerKey }: Question<'customerKey'>,
): Promise<Explanation> => {
  const { db } = dependencies
  const { programId } = requestedBy
  const lead = await findLead(db, { programId, customerKey })
  const sales = await salesOfCustomer(db, { programId, customerKey, clickId: lead?.clickId ?? null })
  // One viewer for the whole explanation, because a customer's sales can be credited to several partners.
  const viewer = { ...requestedBy, partnerId: requestedBy.partnerId ?? lead?.partnerId ?? null }
  const answers: Explanation[] = []
  for (const sale of sales.toReversed()) answers.push(await explainSale(dependencies, { viewer, sale }))
  const subject = toSubject({ kind: 'customer', ...forMerchant(viewer, { customerKey }) })
  const timeline = answers.flatMap((answer) => answer.timeline)
  if (lead) {
    const answer = await explainLead(dependencies, { viewer, lead })
    const steps = [...answer.steps, ...answers.flatMap(({ steps }) => toHistory(steps).slice(0, 1))]
    return { ...withSteps(answer, steps), subject, timeline: sortByTime([...answer.timeline, ...timeline]) }
  }
  const answer = answers.find(({ outcome }) => outcome === 'uncredited') ?? answers.at(-1)
  if (answer) {
    const waiting = answers.filter(({ outcome }) => outcome === 'uncredited').length
    const summary = toStep('fact', 'sales_waiting', waitingSummary(waiting, answers.length))
    const all = withSteps(answer, [summary, ...toHistory(answer.steps)])
    return { ...all, subject, outcome: 'waiting', timeline: sortByTime(timeline), commission: null }
  }
  const asTest = (type: string) => cameAsTest(db, { programId, type, field: 'customer_key', value: customerKey })
  const isTest = (await asTest('lead')) || (await asTest('sale'))
  const reason = isTest ? 'customer_only_as_test' : 'customer_never_seen'
  return explainPlainly(subject, { reason, audience: viewer.audience })
}

/** The result for a sale is in the timeline of its customer. */
const toHistory = (steps: Step[]): Step[] =>
  steps.map((step) => (step.kind === 'reason' ? { ...step, kind: 'history' } : step))

const waitingSummary = (waiting: number, all: number) => {
  const some = `${waiting} of ${all} sales ${waiting === 1 ? 'is' : 'are'}`
  const sales = waiting < all ? some : all === 1 ? 'the sale is' : `all ${all} sales are`
  return `No lead has been sent for this customer; ${sales} waiting for one.`
}

/** Explains a click: whether it was recorded, whether it is still valid, and whether a lead followed. */
export const explainClick = async (
  dependencies: Dependencies,
  { viewer, clickId, program }: Question<'clickId'> & { program: Program },
): Promise<Explanation> => {
  const { db, clock } = dependencies
  const { programId, audience } = viewer
  const subject = { kind: 'click', ...forMerchant(viewer, { clickId }) } as const
  const record = await findClick(db, { programId, clickId })
  if (!record) return explainPlainly(subject, { reason: 'click_never_seen', audience })
  const lead = await findLead(db, { programId, clickId })
  if (lead) {
    const answer = await explainLead(dependencies, { viewer, lead })
    return { ...answer, subject: { ...answer.subject, kind: 'click' } }
  }
  const isValid = isWithinWindow(record.lastClickedAt, program.cookieWindowDays, clock())
  const reason = isValid ? 'click_without_lead' : 'click_expired_without_lead'
  const words = await loadWords(db, { viewer, credited: record.partnerId, named: [record] })
  const answer = explainPlainly(subject, { reason, audience, outcome: isValid ? 'waiting' : 'uncredited' })
  const click = words.click({ ...record, clickedAt: record.creditedClickAt })
  return withSteps(answer, [toStep('fact', 'click_recorded', say`This is ${click}.`), ...answer.steps])
}

/** Partners never see the identifier that was searched for. */
const forMerchant = <Identifier extends object>({ audience }: Viewer, identifier: Identifier): Identifier | object =>
  audience === 'merchant' ? identifier : {}

const sortByTime = (timeline: Explanation['timeline']) =>
  timeline.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
