import type { Group, TierPeriod } from '@tributary/contract'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import type { TierDraft } from './tier-draft.ts'

const KINDS = [
  { value: 'sales', label: 'Number of sales' },
  { value: 'amount', label: 'Sales amount' },
] as const

const PERIODS: { value: TierPeriod; label: string }[] = [
  { value: 'month', label: 'A calendar month' },
  { value: 'quarter', label: 'A calendar quarter' },
  { value: 'year', label: 'A calendar year' },
  { value: 'all', label: 'Any time' },
]

type Props = { tier: TierDraft; targets: Group[]; onChange: (tier: TierDraft) => void }

/** A rule needs another group to move partners to. */
export const TierFields = ({ tier, targets, onChange }: Props) => {
  const update = (change: Partial<TierDraft>) => onChange({ ...tier, ...change })
  if (targets.length === 0) return null
  return (
    <section className="flex flex-col gap-4 border-line border-t pt-4">
      <Switch
        label="Move partners to another group when they sell enough"
        hint="The new rate applies to sales after the move. Refunded sales don’t count toward the target. Partners aren’t moved back down."
        checked={tier.isOn}
        onChange={(isOn) => update({ isOn })}
      />
      {tier.isOn && (
        <>
          <Segmented label="Tier rule counts" value={tier.kind} options={KINDS} onChange={(kind) => update({ kind })} />
          <FieldRow>
            <Target tier={tier} update={update} />
            <Field label="Within">
              {(wiring) => (
                <Select
                  {...wiring}
                  value={tier.within}
                  onChange={(event) => update({ within: event.target.value as TierPeriod })}
                >
                  {PERIODS.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </FieldRow>
          <Field label="Move to">
            {(wiring) => (
              <Select {...wiring} value={tier.moveTo} onChange={(event) => update({ moveTo: event.target.value })}>
                {targets.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </>
      )}
    </section>
  )
}

type TargetProps = { tier: TierDraft; update: (change: Partial<TierDraft>) => void }

const Target = ({ tier, update }: TargetProps) =>
  tier.kind === 'sales' ? (
    <Field label="Sales">
      {(wiring) => (
        <Input
          {...wiring}
          type="number"
          min={1}
          max={1_000_000}
          value={tier.sales}
          onChange={(event) => update({ sales: event.target.value })}
          required
        />
      )}
    </Field>
  ) : (
    <Field label="Amount after refunds">
      {(wiring) => (
        <MoneyInput
          {...wiring}
          currency={tier.currency}
          value={tier.amount}
          onChange={(event) => update({ amount: event.target.value })}
          required
        />
      )}
    </Field>
  )
