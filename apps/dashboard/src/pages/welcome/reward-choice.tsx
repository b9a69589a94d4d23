import type { CreateProgram } from '@tributary/contract'
import { useState } from 'react'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { formText } from '~/components/controls/form.tsx'
import { MoneyInput, parseCents } from '~/components/controls/money-input.tsx'
import { Switch } from '~/components/controls/switch.tsx'

const KINDS = {
  percent: 'A percentage of every sale',
  flat: 'A fixed amount for every sale',
  lead: 'A fixed amount for every lead only',
  later: 'Set the reward later',
}
type Kind = keyof typeof KINDS

/** Has no default amount: the form cannot be submitted without a decision. */
export const RewardChoice = ({ currency }: { currency: string }) => {
  const [kind, setKind] = useState<Kind>('percent')
  const [paysLeads, setPaysLeads] = useState(false)
  const isForSales = kind === 'percent' || kind === 'flat'
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">Reward</legend>
      <Field label="Partners earn">
        {(wiring) => (
          <Select {...wiring} name="rewardKind" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
            {Object.entries(KINDS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kind === 'percent' && (
        <Field label="Percentage">
          {(wiring) => (
            <Input
              {...wiring}
              name="rewardPercent"
              type="number"
              min={0.01}
              max={100}
              step={0.01}
              placeholder="for example 20"
              required
            />
          )}
        </Field>
      )}
      {kind === 'flat' && (
        <Field label="Amount per sale">
          {(wiring) => <MoneyInput {...wiring} name="rewardSale" currency={currency} required />}
        </Field>
      )}
      {isForSales && <Switch label="Also pay for leads" checked={paysLeads} onChange={setPaysLeads} />}
      {(kind === 'lead' || (isForSales && paysLeads)) && (
        <Field label="Amount per lead">
          {(wiring) => <MoneyInput {...wiring} name="rewardLead" currency={currency} required />}
        </Field>
      )}
      <p
        className={kind === 'later' ? 'rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink' : 'text-faint text-xs'}
      >
        {kind === 'later'
          ? 'Until you set a reward, leads and sales are recorded but partners earn nothing.'
          : 'Commissions have a 30-day hold period. You can change all terms later in Settings.'}
      </p>
    </fieldset>
  )
}

/** The chosen reward as an API request. */
export const readReward = (values: FormData, currency: string): CreateProgram['reward'] => {
  const kind = values.get('rewardKind') as Kind
  if (kind === 'later') return undefined
  const amount = (name: string) => parseCents(formText(values, name), currency) ?? 0
  const sale =
    kind === 'percent'
      ? { percentBps: Math.round(Number(formText(values, 'rewardPercent')) * 100), duration: 'lifetime' as const }
      : kind === 'flat'
        ? { amountCents: amount('rewardSale'), duration: 'lifetime' as const }
        : null
  const lead = values.has('rewardLead') ? { amountCents: amount('rewardLead') } : null
  return { sale, lead, holdDays: 30, minimumPayoutCents: 0 }
}
