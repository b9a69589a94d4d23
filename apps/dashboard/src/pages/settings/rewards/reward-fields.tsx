import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import type { Draft } from './draft.ts'
import { REWARD_LABELS } from './reward-text.ts'

const KINDS = [
  { value: 'percent', label: 'Percentage' },
  { value: 'flat', label: 'Fixed amount' },
  { value: 'none', label: 'None' },
] as const

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void; currency: string }

export const RewardFields = ({ draft, onChange, currency }: Props) => (
  <>
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-sm">{REWARD_LABELS.sale}</h3>
        <Segmented
          label={REWARD_LABELS.sale}
          value={draft.saleKind}
          options={KINDS}
          onChange={(saleKind) => onChange({ saleKind })}
        />
      </div>
      {draft.saleKind !== 'none' && <SaleFields draft={draft} onChange={onChange} currency={currency} />}
    </section>
    <section className="flex flex-col gap-4 border-line border-t pt-4">
      <Switch
        label="Pay for leads"
        hint="One commission per lead."
        checked={draft.leadOn}
        onChange={(leadOn) => onChange({ leadOn })}
      />
      {draft.leadOn && (
        <Field label={REWARD_LABELS.lead}>
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
      )}
    </section>
    <FieldRow className="border-line border-t pt-4">
      <Field label={REWARD_LABELS.holdDays} hint="Days until a commission becomes payable.">
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
      <Field label={REWARD_LABELS.minimumPayoutCents} hint="Smaller balances roll over to the next payout.">
        {(wiring) => (
          <MoneyInput
            {...wiring}
            currency={currency}
            value={draft.minimum}
            onChange={(event) => onChange({ minimum: event.target.value })}
            required
          />
        )}
      </Field>
    </FieldRow>
  </>
)

const SaleFields = ({ draft, onChange, currency }: Props) => (
  <FieldRow>
    {draft.saleKind === 'percent' ? (
      <Field label="Percentage">
        {(wiring) => (
          <Input
            {...wiring}
            type="number"
            min={0.01}
            max={100}
            step={0.01}
            value={draft.percent}
            onChange={(event) => onChange({ percent: event.target.value })}
            required
          />
        )}
      </Field>
    ) : (
      <Field label="Amount per sale">
        {(wiring) => (
          <MoneyInput
            {...wiring}
            currency={currency}
            value={draft.flat}
            onChange={(event) => onChange({ flat: event.target.value })}
            required
          />
        )}
      </Field>
    )}
    <Field label="Duration">
      {(wiring) => (
        <Select
          {...wiring}
          value={draft.duration}
          onChange={(event) => onChange({ duration: event.target.value as Draft['duration'] })}
        >
          <option value="lifetime">All sales</option>
          <option value="months">First months only</option>
          <option value="first">First sale only</option>
        </Select>
      )}
    </Field>
    {draft.duration === 'months' && (
      <Field label="Months">
        {(wiring) => (
          <Input
            {...wiring}
            type="number"
            min={1}
            max={120}
            value={draft.months}
            onChange={(event) => onChange({ months: event.target.value })}
            required
          />
        )}
      </Field>
    )}
  </FieldRow>
)
