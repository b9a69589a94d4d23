import { Field } from '~/components/controls/field.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { messageAt, type Refusal } from './refusal.ts'
import type { RuleDraft } from './rule-draft.ts'

const MAXIMUMS = [
  { name: 'maxPerSale', field: 'maxPerSaleCents', label: 'At most per sale' },
  { name: 'maxPerCustomer', field: 'maxPerCustomerCents', label: 'At most per customer' },
] as const

type Props = {
  rule: RuleDraft
  /** Where the rule is in the form. */
  place: string
  currency: string
  refusal: Refusal
  onChange: (change: Partial<RuleDraft>) => void
}

export const MaximumFields = ({ rule, place, currency, refusal, onChange }: Props) => (
  <div className="flex flex-wrap gap-3">
    {MAXIMUMS.map(({ name, field, label }) => (
      <div key={name} className="min-w-0 flex-1 basis-40">
        <Field label={label} optional error={messageAt(refusal, `${place}.${field}`)}>
          {(wiring) => (
            <MoneyInput
              {...wiring}
              data-maximum
              currency={currency}
              value={rule[name]}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      </div>
    ))}
  </div>
)

export const hasMaximum = ({ maxPerSale, maxPerCustomer }: RuleDraft) => maxPerSale !== '' || maxPerCustomer !== ''
