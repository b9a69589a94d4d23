import { type PublishedEvent, type PublishedEventData, type PublishedEventType, toDecimal } from '@tributary/contract'
import { formatMoney } from '../../format-money.ts'

/** An event in plain English. `detail` may be empty. */
export type EventMessage = { title: string; detail: string; footer: string }

type Names = { programName: string; partnerName: string | null }
type Words = { title: string; detail?: string }
type Data = PublishedEventData

export const sentenceOf = (event: PublishedEvent, { programName, partnerName }: Names): EventMessage => {
  const write = WRITERS[event.type] as (data: unknown, partner: (id: number | null) => string) => Words
  const { title, detail = '' } = write(
    event.data,
    (id) => partnerName ?? (id === null ? 'no partner' : `partner ${id}`),
  )
  return { title, detail, footer: `${programName} · ${event.type} · event ${event.sequence}` }
}

const money = (amountCents: number, currency: string) => formatMoney(toDecimal(amountCents, currency), currency)
const amount = ({ amountCents, currency }: { amountCents: number; currency: string }) => money(amountCents, currency)

const saleDetail = ({ invoiceId, partnerId }: Data['sale.created'], partner: PartnerWords) =>
  `Invoice ${invoiceId}. ${partnerId === null ? 'Not credited to a partner.' : `Credited to ${partner(partnerId)}.`}`

const kindOf = ({ kind }: Data['commission.created']) => (kind === 'lead' ? 'a lead' : 'a sale')

type PartnerWords = (id: number | null) => string
type Writers = { [Type in PublishedEventType]: (data: Data[Type], partner: PartnerWords) => Words }

const WRITERS: Writers = {
  'partner.applied': ({ name }) => ({ title: `${name} applied to become a partner` }),
  'partner.approved': ({ name }) => ({ title: `${name} is now a partner` }),
  'partner.rejected': ({ name }) => ({ title: `${name} was rejected as a partner` }),
  'partner.suspended': ({ name }) => ({ title: `${name} was suspended` }),
  'partner.updated': ({ name }) => ({ title: `The details of ${name} changed` }),
  'link.created': ({ aff, destinationUrl, partnerId }, partner) => ({
    title: `New link ${aff} of ${partner(partnerId)}`,
    ...(destinationUrl && { detail: `It leads to ${destinationUrl}.` }),
  }),
  'link.updated': ({ aff, active, partnerId }, partner) => ({
    title: `The link ${aff} of ${partner(partnerId)} changed`,
    detail: active ? 'It is active.' : 'It is disabled.',
  }),
  'code.created': ({ code, requested, partnerId }, partner) => ({
    title: requested ? `${partner(partnerId)} requested the code ${code}` : `New code ${code} of ${partner(partnerId)}`,
  }),
  'code.updated': ({ code, active, partnerId }, partner) => ({
    title: `The code ${code} of ${partner(partnerId)} changed`,
    detail: active ? 'It is active.' : 'It is disabled.',
  }),
  'lead.created': ({ partnerId }, partner) => ({ title: `New lead from ${partner(partnerId)}` }),
  'sale.created': (sale, partner) => ({ title: `New sale: ${amount(sale)}`, detail: saleDetail(sale, partner) }),
  'sale.updated': (sale, partner) => ({
    title: `The sale of ${amount(sale)} changed`,
    detail: saleDetail(sale, partner),
  }),
  'sale.refunded': (sale, partner) => ({
    title: `Refund: ${money(sale.refundedCents, sale.currency)} of a sale of ${amount(sale)}`,
    detail: saleDetail(sale, partner),
  }),
  'sale.disputed': (sale, partner) => ({
    title: `The customer disputed the sale of ${amount(sale)}`,
    detail: saleDetail(sale, partner),
  }),
  'sale.voided': (sale, partner) => ({
    title: `The sale of ${amount(sale)} was merged into another one`,
    detail: saleDetail(sale, partner),
  }),
  'commission.created': (commission, partner) => ({
    title: `${partner(commission.partnerId)} earned ${amount(commission)}`,
    detail: `A commission for ${kindOf(commission)}.`,
  }),
  'commission.updated': (commission, partner) => ({
    title: `The commission of ${amount(commission)} for ${partner(commission.partnerId)} changed`,
    detail:
      commission.reversedCents > 0 ? `${money(commission.reversedCents, commission.currency)} of it is reversed.` : '',
  }),
  'commission.payable': (commission, partner) => ({
    title: `The commission of ${amount(commission)} for ${partner(commission.partnerId)} can be paid`,
  }),
  'commission.voided': (commission, partner) => ({
    title: `The commission of ${amount(commission)} for ${partner(commission.partnerId)} was voided`,
  }),
  'payout.created': (payout, partner) => ({
    title: `New payout: ${amount(payout)} to ${partner(payout.partnerId)}`,
  }),
  'payout.updated': (payout, partner) => ({
    title: `The payout to ${partner(payout.partnerId)} was reduced to ${amount(payout)}`,
  }),
  'payout.paid': (payout, partner) => ({
    title: `Paid ${amount(payout)} to ${partner(payout.partnerId)}`,
    detail: payout.reference ? `Reference ${payout.reference}.` : '',
  }),
  'payout.failed': (payout, partner) => ({
    title: `The payout of ${amount(payout)} to ${partner(payout.partnerId)} failed`,
  }),
  'terms.changed': ({ subject, partnerId }, partner) => ({
    title:
      subject === 'agreement'
        ? 'The partner agreement changed'
        : partnerId === null
          ? 'The reward terms changed'
          : `The reward of ${partner(partnerId)} changed`,
  }),
  'processor.connected': () => ({ title: 'The payment processor was connected' }),
  'processor.disconnected': () => ({ title: 'The payment processor was disconnected' }),
  'test.ping': ({ message }) => ({ title: message }),
}
