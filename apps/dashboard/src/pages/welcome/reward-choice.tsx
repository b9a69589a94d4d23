import type { CreateProgram } from '@tributary/contract'
import { useState } from 'react'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
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

const DURATIONS = { months: 'First months only', lifetime: 'All sales', first: 'First sale only' }
type Duration = keyof typeof DURATIONS

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
      {isForSales && <SaleReward kind={kind} currency={currency} />}
      {isForSales && (
        <Switch
          label="Also pay for leads"
          hint="A lead is someone who signs up on your website."
          checked={paysLeads}
          onChange={setPaysLeads}
        />
      )}
      {(kind === 'lead' || (isForSales && paysLeads)) && (
        <Field label="Amount per lead">
          {(wiring) => <MoneyInput {...wiring} name="rewardLead" currency={currency} required />}
        </Field>
      )}
      {kind === 'lead' && <HoldPeriod />}
      {kind === 'later' && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
          Until you set a reward, leads and sales are recorded but partners earn nothing.
        </p>
      )}
    </fieldset>
  )
}

const SaleReward = ({ kind, currency }: { kind: 'percent' | 'flat'; currency: string }) => {
  const [duration, setDuration] = useState<Duration>('months')
  return (
    <FieldRow>
      {kind === 'percent' ? (
        <Field label="Percentage">
          {(wiring) => (
            <Input
              {...wiring}
              name="rewardPercent"
              type="number"
              min={0.01}
              max={100}
              step={0.01}
              defaultValue={30}
              required
            />
          )}
        </Field>
      ) : (
        <Field label="Amount per sale">
          {(wiring) => <MoneyInput {...wiring} name="rewardSale" currency={currency} required />}
        </Field>
      )}
      <Field label="Duration">
        {(wiring) => (
          <Select
            {...wiring}
            name="duration"
            value={duration}
            onChange={(event) => setDuration(event.target.value as Duration)}
          >
            {Object.entries(DURATIONS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {duration === 'months' && (
        <Field label="Months" hint="After a customer’s first sale.">
          {(wiring) => <Input {...wiring} name="months" type="number" min={1} max={120} defaultValue={12} required />}
        </Field>
      )}
      <HoldPeriod />
    </FieldRow>
  )
}

const HoldPeriod = () => (
  <Field label="Hold period (days)" hint="Until a commission becomes payable.">
    {(wiring) => <Input {...wiring} name="holdDays" type="number" min={0} max={365} defaultValue={30} required />}
  </Field>
)

/** The chosen reward as an API request. */
export const readReward = (values: FormData, currency: string): CreateProgram['reward'] => {
  const kind = values.get('rewardKind') as Kind
  if (kind === 'later') return undefined
  const amount = (name: string) => parseCents(formText(values, name), currency) ?? 0
  const duration = values.get('duration') as Duration
  const during = { duration, ...(duration === 'months' && { months: Number(formText(values, 'months')) }) }
  const sale =
    kind === 'percent'
      ? { percentBps: Math.round(Number(formText(values, 'rewardPercent')) * 100), ...during }
      : kind === 'flat'
        ? { amountCents: amount('rewardSale'), ...during }
        : null
  const lead = values.has('rewardLead') ? { amountCents: amount('rewardLead') } : null
  return { sale, lead, holdDays: Number(formText(values, 'holdDays')), minimumPayoutCents: 0 }
}
