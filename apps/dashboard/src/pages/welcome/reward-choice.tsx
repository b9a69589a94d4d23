import type { RewardWarning } from '@tributary/contract'
import { useState } from 'react'
import type { RewardForm } from '~/api/money/rewards.ts'
import { Field, Select } from '~/components/controls/field.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { type Draft, toRequest } from '../settings/rewards/draft.ts'
import { HoldPeriodField, LeadAmountField } from '../settings/rewards/lead-and-hold-fields.tsx'
import type { Refusal } from '../settings/rewards/rules/refusal.ts'
import { SaleTerms } from '../settings/rewards/rules/sale-terms.tsx'

const KINDS = {
  percent: 'A percentage of every sale',
  flat: 'A fixed amount for every sale',
  lead: 'A fixed amount for every lead only',
  later: 'Set the reward later',
}
type Kind = keyof typeof KINDS

/** The first reward while being edited. */
export type FirstReward = { kind: Kind; draft: Draft }

const FIRST: FirstReward = {
  kind: 'percent',
  draft: {
    leadOn: false,
    lead: '',
    saleKind: 'percent',
    percent: '30',
    flat: '',
    duration: 'months',
    months: '12',
    rules: [],
    holdDays: '30',
    minimum: '0',
  },
}
export const useFirstReward = () => useState(FIRST)

/** There are no sales yet that rules could miss. */
const NO_WARNINGS: RewardWarning[] = []

type Props = { reward: FirstReward; onChange: (reward: FirstReward) => void; currency: string; refusal: Refusal }

export const RewardChoice = ({ reward, onChange, currency, refusal }: Props) => {
  const { kind, draft } = reward
  const isForSales = kind === 'percent' || kind === 'flat'
  const edit = (change: Partial<Draft>) => onChange({ kind, draft: { ...draft, ...change } })
  // Rules have kinds of their own.
  const choose = (chosen: Kind) =>
    onChange({
      kind: chosen,
      draft: { ...draft, rules: [], ...((chosen === 'percent' || chosen === 'flat') && { saleKind: chosen }) },
    })
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">Reward</legend>
      <Field label="Partners earn">
        {(wiring) => (
          <Select {...wiring} value={kind} onChange={(event) => choose(event.target.value as Kind)}>
            {Object.entries(KINDS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isForSales && (
        <SaleTerms draft={draft} currency={currency} refusal={refusal} warnings={NO_WARNINGS} onChange={edit} />
      )}
      {isForSales && (
        <Switch
          label="Also pay for leads"
          hint="A lead is someone who signs up on your website."
          checked={draft.leadOn}
          onChange={(leadOn) => edit({ leadOn })}
        />
      )}
      {(kind === 'lead' || (isForSales && draft.leadOn)) && (
        <LeadAmountField label="Amount per lead" draft={draft} currency={currency} refusal={refusal} onChange={edit} />
      )}
      {kind !== 'later' && (
        <HoldPeriodField
          label="Hold period (days)"
          hint="Until a commission becomes payable."
          draft={draft}
          refusal={refusal}
          onChange={edit}
        />
      )}
      {kind === 'later' && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
          Until you set a reward, leads and sales are recorded but partners earn nothing.
        </p>
      )}
    </fieldset>
  )
}

/** The chosen reward as an API request. */
export const requestOf = ({ kind, draft }: FirstReward, currency: string): RewardForm | undefined => {
  if (kind === 'later') return undefined
  if (kind === 'lead') return toRequest({ ...draft, leadOn: true, saleKind: 'none' }, currency)
  return toRequest(draft, currency)
}
