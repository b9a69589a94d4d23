import type { Explanation, ReasonCode } from '@tributary/contract'
import { isWithinWindow } from '../../attribution/click-window.ts'
import { plainAnswer } from '../../explain/answer.ts'
import { cameAsTest, findClick, findLead, findSale, salesOfCustomer } from '../../explain/subjects.ts'
import { capital } from '../../explain/words.ts'
import { findPayment, referencesOf } from '../../payments/payments.ts'
import { homeBeside } from '../../payments/workspace.ts'
import type { Program } from '../../programs/programs.ts'
import { type Asked, type Dependencies, explainLead, explainSale, NAMELESS, wordsOf } from './explain.ts'
import { explainMessage, type Message } from './explain-message.ts'
import { explainPayment } from './explain-payment.ts'

type Question<Word extends string> = { asked: Asked } & Record<Word, string>

/** Where a processor's own messages are kept, which no story knows: one that became no report, under one of these names. */
type Messages = { findMessage: (names: string[]) => Promise<Message | null> }

/** They leave open whom the payment was for; a message that was refused may have said it. */
const UNSAID: ReasonCode[] = ['no_metadata', 'references_joined', 'refund_before_sale', 'dispute_before_sale']

/** About an invoice, or any name of a payment, also one that never came. */
export const explainInvoice = async (
  dependencies: Dependencies & Messages,
  { asked, invoiceId }: Question<'invoiceId'>,
): Promise<Explanation> => {
  const { db, findMessage } = dependencies
  const { programId } = asked
  // Where the workspace's processor is heard first: in the program itself, only the names may be known.
  for (const scopeId of [await homeBeside(db, programId), programId]) {
    const paymentId = scopeId === null ? null : await findPayment(db, { programId: scopeId, reference: invoiceId })
    if (scopeId === null || paymentId === null) continue
    const answer = await explainPayment(dependencies, { asked, invoiceId, scopeId, paymentId })
    if (!answer) continue
    if (!UNSAID.includes(answer.reason) || answer.subject.kind === 'sale') return answer
    const message = await findMessage(await referencesOf(db, { programId: scopeId, paymentId }))
    if (message?.reason !== 'program_of_others') return answer
    const refused = explainMessage({ asked, invoiceId, message })
    return { ...refused, timeline: inOrder([...answer.timeline, ...refused.timeline]) }
  }
  const sale = await findSale(db, { programId, invoiceId })
  if (sale) return explainSale(dependencies, { asked, sale })
  const message = await findMessage([invoiceId])
  if (message) return explainMessage({ asked, invoiceId, message })
  const isTest = await cameAsTest(db, { programId, type: 'sale', field: 'invoice_id', value: invoiceId })
  const reason = isTest ? 'invoice_only_as_test' : 'invoice_never_received'
  return neverCame(asked, reason, { kind: 'invoice', ...forMerchant(asked, { invoiceId }) })
}

/** About a customer: their sign-up, and what became of their sales. */
export const explainCustomer = async (
  dependencies: Dependencies,
  { asked: by, customerKey }: Question<'customerKey'>,
): Promise<Explanation> => {
  const { db } = dependencies
  const { programId } = by
  const lead = await findLead(db, { programId, customerKey })
  const sales = await salesOfCustomer(db, { programId, customerKey, clickId: lead?.clickId ?? null })
  // One reader for all of it: sales of one customer can be credited to several partners.
  const asked = { ...by, partnerId: by.partnerId ?? lead?.partnerId ?? null }
  const answers: Explanation[] = []
  for (const sale of sales.toReversed()) answers.push(await explainSale(dependencies, { asked, sale }))
  const subject = { ...NAMELESS, kind: 'customer', ...forMerchant(asked, { customerKey }) } as const
  const timeline = answers.flatMap((answer) => answer.timeline)
  if (lead) {
    const answer = await explainLead(dependencies, { asked, lead })
    const sentences = [...answer.sentences, ...answers.flatMap(({ sentences: [first] }) => first ?? [])]
    return { ...answer, subject, sentences, timeline: inOrder([...answer.timeline, ...timeline]) }
  }
  const answer = answers.find(({ outcome }) => outcome === 'uncredited') ?? answers.at(-1)
  if (answer) {
    const waiting = answers.filter(({ outcome }) => outcome === 'uncredited').length
    const first = `No sign-up of this customer has been reported; ${waiting} of ${answers.length} sales wait for it.`
    const sentences = [first, ...answer.sentences]
    return { ...answer, subject, outcome: 'waiting', sentences, timeline: inOrder(timeline), commission: null }
  }
  const asTest = (type: string) => cameAsTest(db, { programId, type, field: 'customer_key', value: customerKey })
  const isTest = (await asTest('lead')) || (await asTest('sale'))
  return neverCame(asked, isTest ? 'customer_only_as_test' : 'customer_never_seen', subject)
}

/** About a click: whether it came, whether it still counts, and whether a sign-up followed. */
export const explainClick = async (
  dependencies: Dependencies,
  { asked, clickId, program }: Question<'clickId'> & { program: Program },
): Promise<Explanation> => {
  const { db, clock } = dependencies
  const { programId } = asked
  const subject = { kind: 'click', ...forMerchant(asked, { clickId }) } as const
  const record = await findClick(db, { programId, clickId })
  if (!record) return neverCame(asked, 'click_never_seen', subject)
  const lead = await findLead(db, { programId, clickId })
  if (lead) {
    const answer = await explainLead(dependencies, { asked, lead })
    return { ...answer, subject: { ...answer.subject, kind: 'click' } }
  }
  const isValid = isWithinWindow(record.lastClickedAt, program.cookieWindowDays, clock())
  const reason = isValid ? 'click_without_lead' : 'click_expired_without_lead'
  const words = await wordsOf(db, { asked, credited: record.partnerId, named: [record] })
  const answer = neverCame(asked, reason, subject)
  const click = words.click({ ...record, clickedAt: record.creditedClickAt })
  const sentences = [`It is ${click}.`, ...answer.sentences]
  return { ...answer, outcome: isValid ? 'waiting' : 'uncredited', sentences: sentences.map(capital) }
}

/** A partner never reads the name under which something was looked up. */
const forMerchant = <Name extends object>({ audience }: Asked, name: Name): Name | object =>
  audience === 'merchant' ? name : {}

const neverCame = (
  { audience }: Asked,
  reason: ReasonCode,
  subject: Pick<Explanation['subject'], 'kind'> & object,
): Explanation => ({
  subject: { ...NAMELESS, ...subject },
  outcome: 'not_received',
  reason,
  sentences: plainAnswer(reason, audience === 'merchant' ? { audience } : { audience, partnerId: null }),
  facts: null,
  timeline: [],
  commission: null,
})

const inOrder = (timeline: Explanation['timeline']) => timeline.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
