import type { RewardWarning } from '@tributary/contract'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import type { Draft } from './draft.ts'
import { HoldPeriodField, LeadAmountField } from './lead-and-hold-fields.tsx'
import { REWARD_LABELS } from './reward-text.ts'
import { messageAt, type Refusal } from './rules/refusal.ts'
import { SaleTerms } from './rules/sale-terms.tsx'

const KINDS = [
  { value: 'percent', label: 'Percentage' },
  { value: 'flat', label: 'Fixed amount' },
  { value: 'none', label: 'None' },
] as const

type Props = {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  currency: string
  refusal: Refusal
  warnings: RewardWarning[]
}

export const RewardFields = ({ draft, onChange, currency, refusal, warnings }: Props) => (
  <>
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-sm">{REWARD_LABELS.sale}</h3>
        {draft.rules.length === 0 ? (
          <Segmented
            label={REWARD_LABELS.sale}
            value={draft.saleKind}
            options={KINDS}
            onChange={(saleKind) => onChange({ saleKind })}
          />
        ) : (
          <Button look="quiet" size="small" onClick={() => onChange({ rules: [] })}>
            Back to one rate
          </Button>
        )}
      </div>
      {draft.saleKind !== 'none' && (
        <SaleTerms draft={draft} currency={currency} refusal={refusal} warnings={warnings} onChange={onChange} />
      )}
    </section>
    <section className="flex flex-col gap-4 border-line border-t pt-4">
      <Switch
        label="Pay for leads"
        hint="One commission per lead."
        checked={draft.leadOn}
        onChange={(leadOn) => onChange({ leadOn })}
      />
      {draft.leadOn && (
        <LeadAmountField
          label={REWARD_LABELS.lead}
          draft={draft}
          currency={currency}
          refusal={refusal}
          onChange={onChange}
        />
      )}
    </section>
    <FieldRow className="border-line border-t pt-4">
      <HoldPeriodField
        label={REWARD_LABELS.holdDays}
        hint="Days until a commission becomes payable."
        draft={draft}
        refusal={refusal}
        onChange={onChange}
      />
      <Field
        label={REWARD_LABELS.minimumPayoutCents}
        hint="Smaller balances roll over to the next payout."
        error={messageAt(refusal, 'minimum')}
      >
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
