import type { PublishedEventData, RewardAnswer, RewardRequest, RewardRule } from '@tributary/contract'
import type { Tx } from '../../database/transaction.ts'
import { publish } from '../../outbox/events.ts'
import { Refusal } from '../../refusal.ts'
import { requestedTerms, rulesOfTerms } from './requested-terms.ts'
import { addTerms, type StoredTerms, type TermsOwner } from './reward-terms.ts'

const NOTHING = { lead: null, sale: null, holdDays: 30, minimumPayoutCents: 0 }

export const rewardAnswer = (
  terms: StoredTerms | null,
  { currency, own }: { currency: string; own: boolean },
): RewardAnswer => {
  if (!terms) return { ...NOTHING, currency, version: null, validFrom: null, own: false }
  return {
    lead: terms.leadAmountCents === null ? null : { amountCents: terms.leadAmountCents },
    sale: saleAnswer(terms),
    holdDays: terms.holdDays,
    minimumPayoutCents: terms.minimumPayoutCents,
    currency: isWithoutAmount(terms) ? currency : terms.currency,
    version: terms.version,
    validFrom: terms.validFrom.toISOString(),
    own,
  }
}

/** Both forms, if one rule says the same as today's fields. */
const saleAnswer = (terms: StoredTerms): RewardAnswer['sale'] => {
  const rules = rulesOfTerms(terms)
  if (rules.length === 0) return null
  if (terms.saleDuration === null) return { rules }
  return {
    percentBps: terms.salePercentBps ?? undefined,
    amountCents: terms.saleAmountCents ?? undefined,
    duration: terms.saleDuration,
    months: terms.saleMonths ?? undefined,
    rules,
  }
}

/** Terms without amounts have no currency, so they follow the program's when it changes. */
const isWithoutAmount = ({ leadAmountCents, saleAmountCents, saleRules, minimumPayoutCents }: StoredTerms) =>
  leadAmountCents === null && saleAmountCents === null && minimumPayoutCents === 0 && !hasAmounts(saleRules)

const hasAmounts = (rules: RewardRule[] | null) =>
  rules?.some(
    ({ when, pays, maxPerSaleCents, maxPerCustomerCents }) =>
      [when?.minAmountCents, maxPerSaleCents, maxPerCustomerCents].some((cents) => cents !== undefined) ||
      pays.some(({ amountCents }) => amountCents !== undefined),
  ) ?? false

type Change = TermsOwner & { programId: number; currency: string; request: RewardRequest; at: Date }

/** Flat amounts must be in the program's currency. `field` names the request's currency field. */
export const requireProgramCurrency = (
  request: RewardRequest,
  { currency, field }: { currency: string; field: string },
) => {
  if (request.currency && request.currency !== currency)
    throw new Refusal(
      'invalid_currency',
      `${field} must be ${currency}, the program's currency. Leave it out, or change the program's currency first.`,
      { field },
    )
}

/** Adds a version that applies from now on; past events are not recalculated. */
export const changeReward = async (tx: Tx, { programId, partnerId, groupId, currency, request, at }: Change) => {
  requireProgramCurrency(request, { currency, field: 'currency' })
  const { minimumPayoutCents } = request
  const terms = { partnerId, groupId, currency, ...requestedTerms(request), minimumPayoutCents }
  const version = await addTerms(tx, { programId, terms, at })
  const {
    version: _,
    validFrom: __,
    own: ___,
    ...reward
  } = rewardAnswer({ ...terms, version, validFrom: at }, { currency, own: false })
  await publishTerms(tx, { programId, partnerId, groupId, version, reward, at })
  return version
}

type NewTerms = TermsOwner & {
  programId: number
  version: number
  /** Null if inherited terms apply again. */
  reward: PublishedEventData['terms.changed']['reward']
  at: Date
}

const publishTerms = (tx: Tx, { programId, partnerId, groupId, version, reward, at }: NewTerms) => {
  const data = { subject: 'reward' as const, version, groupId, partnerId, reward, validFrom: at.toISOString() }
  return publish(tx, [{ programId, type: 'terms.changed', at, data }])
}

/** From now on, the terms of the partner's group apply again, or the default group's to the group. */
export const endCustomReward = async (tx: Tx, change: Omit<Change, 'request'>) => {
  const { programId, partnerId, groupId, currency, at } = change
  const version = await addTerms(tx, {
    programId,
    at,
    terms: {
      partnerId,
      groupId,
      currency,
      inherits: true,
      ...requestedTerms({ lead: null, sale: null, holdDays: 0 }),
      minimumPayoutCents: 0,
    },
  })
  await publishTerms(tx, { programId, partnerId, groupId, version, reward: null, at })
  return version
}
