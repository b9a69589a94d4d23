import { type Explanation, type Part, REASONS, type Step, say } from '@tributary/contract'
import { adviceFor, explainPlainly } from '../../explain/answer.ts'
import { toEntry, toExplanation, toSentence, toStep } from '../../explain/parts.ts'
import { findSale } from '../../explain/subjects.ts'
import { type PaymentReport, SAME_PAYMENT } from '../../payments/payment-report.ts'
import { listReports, type StoredReport } from '../../payments/payment-reports.ts'
import { findSalesOfPayment } from '../../sales/find-sales.ts'
import { type Dependencies, explainSale, type Viewer } from './explain.ts'

/** `inboxProgramId`: the program that stores the payment (processor/inbox-programs.ts). */
type Question = { viewer: Viewer; invoiceId: string; inboxProgramId: number; paymentId: number }

/**
 * Explains a payment by any of its references: its sale, or why it has none, and what the processor reported. Null if it
 * concerns only other programs.
 */
export const explainPayment = async (
  dependencies: Dependencies,
  { viewer, invoiceId, inboxProgramId, paymentId }: Question,
): Promise<Explanation | null> => {
  const { db } = dependencies
  const { programId, audience } = viewer
  const received = await listReports(db, { programId: inboxProgramId, paymentId })
  // Of another program's reports, show only those that name this program or no program.
  const isVisible = ({ report }: StoredReport) => (report.attribution?.programId ?? programId) === programId
  const reports = inboxProgramId === programId ? received : received.filter(isVisible)
  const [found] = await findSalesOfPayment(db, { programId: inboxProgramId, paymentId })
  const sale = found?.programId === programId && (await findSale(db, { programId, id: found.id }))
  if (sale) return withReports(await explainSale(dependencies, { viewer, sale }), { viewer, reports })
  if (inboxProgramId !== programId && reports.length === 0) return null
  const decision = found ? { outcome: 'applied', reason: 'sale_in_other_program' as const } : mostInformative(reports)
  const subject = { kind: 'invoice' as const, ...(audience === 'merchant' && { invoiceId }) }
  const outcome = decision.outcome === 'waiting' ? 'waiting' : 'uncredited'
  const answer = explainPlainly(subject, { reason: decision.reason, audience, outcome })
  return withReports(answer, { viewer, reports })
}

const BY_IMPORTANCE = [
  'paid',
  'pending',
  'failed',
  'refund',
  'refunded_in_all',
  'dispute',
  'disputes_won',
  SAME_PAYMENT.kind,
]

/** Whether the payment succeeded matters more than a refund. */
const mostInformative = (reports: StoredReport[]): Pick<StoredReport, 'outcome' | 'reason'> => {
  const rank = ({ report }: StoredReport) => BY_IMPORTANCE.indexOf(report.says.kind)
  const [first] = reports.toSorted((a, b) => rank(a) - rank(b))
  return first ?? { outcome: 'waiting', reason: 'invoice_never_received' }
}

/** Only the merchant may see what the processor reported. */
const withReports = (
  answer: Explanation,
  { viewer, reports }: { viewer: Viewer; reports: StoredReport[] },
): Explanation => {
  if (viewer.audience !== 'merchant') return answer
  const entries = reports.map(({ report, outcome, reason }) =>
    toEntry({
      at: report.at.toISOString(),
      event: 'payment',
      outcome,
      reason,
      parts: say`${REASONS[reason]}`,
      decidedOn: { references: report.references, attribution: report.attribution, ...payerIn(report), ...report.says },
    }),
  )
  const reasons = reports.map(({ reason }) => reason)
  const steps = [
    ...answer.steps,
    ...explainOtherClick(reports),
    ...reasons.map((reason) => toStep('history', reason, REASONS[reason])),
    ...adviceFor(reasons, { isPartner: false }),
  ]
  return toExplanation({
    ...answer,
    steps: withoutRepeats(steps),
    timeline: [...entries, ...answer.timeline].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
  })
}

const payerIn = ({ customerId, clickReference }: PaymentReport) => ({
  ...(customerId && { customerId }),
  ...(clickReference && { clickReference }),
})

/** The checkout can name one click in its metadata and another in the field for links. */
const explainOtherClick = (reports: StoredReport[]): Step[] => {
  const clickId = reports.flatMap(({ report }) => report.attribution?.clickId ?? [])[0]
  const other = reports.flatMap(({ report }) => report.clickReference ?? []).find((reference) => reference !== clickId)
  if (!clickId || !other) return []
  const code = (text: string): Part => ({ type: 'code', text })
  const parts = say`The metadata names the click ${code(clickId)}, and the checkout’s reference names ${code(other)}. The metadata wins.`
  return [toStep('fact', 'other_click_named', parts)]
}

/** The reports of one payment often have the same reason. */
const withoutRepeats = (steps: Step[]) => {
  const sentences = steps.map(toSentence)
  return steps.filter((_, index) => sentences.indexOf(sentences[index] ?? '') === index)
}
