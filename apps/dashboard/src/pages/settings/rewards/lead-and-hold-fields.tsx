import { Field, Input } from '~/components/controls/field.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import type { Draft } from './draft.ts'
import { messageAt, type Refusal } from './rules/refusal.ts'

type Props = { draft: Draft; label: string; refusal: Refusal; onChange: (change: Partial<Draft>) => void }

export const LeadAmountField = ({ draft, label, currency, refusal, onChange }: Props & { currency: string }) => (
  <Field label={label} error={messageAt(refusal, 'lead')}>
    {(wiring) => (
      <MoneyInput
        {...wiring}
        currency={currency}
        value={draft.lead}
        onChange={(event) => onChange({ lead: event.target.value })}
        required
      />
    )}
  </Field>
)

export const HoldPeriodField = ({ draft, label, hint, refusal, onChange }: Props & { hint: string }) => (
  <Field label={label} hint={hint} error={messageAt(refusal, 'holdDays')}>
    {(wiring) => (
      <Input
        {...wiring}
        type="number"
        min={0}
        max={365}
        value={draft.holdDays}
        onChange={(event) => onChange({ holdDays: event.target.value })}
        required
      />
    )}
  </Field>
)
