import type { CreateProgram } from '@tributary/contract'
import { useState } from 'react'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { textOf } from '~/components/controls/form.tsx'
import { centsOf, MoneyInput } from '~/components/controls/money-input.tsx'
import { Switch } from '~/components/controls/switch.tsx'

const KINDS = {
  percent: 'A percentage of every sale',
  flat: 'A fixed amount for every sale',
  lead: 'A fixed amount for every sign-up only',
  later: 'Set the reward later',
}
type Kind = keyof typeof KINDS

/** What a new program pays. Nothing is preset: without an answer the form is not sent. */
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
              placeholder="20"
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
      {isForSales && <Switch label="Also pay for sign-ups" checked={paysLeads} onChange={setPaysLeads} />}
      {(kind === 'lead' || (isForSales && paysLeads)) && (
        <Field label="Amount per sign-up">
          {(wiring) => <MoneyInput {...wiring} name="rewardLead" currency={currency} required />}
        </Field>
      )}
      <p
        className={kind === 'later' ? 'rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink' : 'text-faint text-xs'}
      >
        {kind === 'later'
          ? 'Until you set a reward, sales and sign-ups are recorded but partners earn nothing.'
          : 'Commissions become payable after 30 days. You can change this, and how long a customer earns, in the settings.'}
      </p>
    </fieldset>
  )
}

/** What was chosen, as the service wants it. */
export const rewardIn = (values: FormData, currency: string): CreateProgram['reward'] => {
  const kind = values.get('rewardKind') as Kind
  if (kind === 'later') return undefined
  const amount = (name: string) => centsOf(textOf(values, name), currency) ?? 0
  const sale =
    kind === 'percent'
      ? { percentBps: Math.round(Number(textOf(values, 'rewardPercent')) * 100), duration: 'lifetime' as const }
      : kind === 'flat'
        ? { amountCents: amount('rewardSale'), duration: 'lifetime' as const }
        : null
  const lead = values.has('rewardLead') ? { amountCents: amount('rewardLead') } : null
  return { sale, lead, holdDays: 30, minimumPayoutCents: 0 }
}
