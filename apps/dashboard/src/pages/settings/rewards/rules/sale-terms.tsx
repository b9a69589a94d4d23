import type { RewardWarning } from '@tributary/contract'
import { Plus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import type { Draft } from '../draft.ts'
import { useFocusAfterRender } from './focus-after-render.ts'
import { hasMaximum, MaximumFields } from './maximum-fields.tsx'
import { messageAt, type Refusal } from './refusal.ts'
import { Messages } from './rule-card.tsx'
import { addRule, addStage, afterRemoving, ruleOfForm } from './rule-changes.ts'
import type { RuleDraft } from './rule-draft.ts'
import { AddRule, RuleList } from './rule-list.tsx'
import { AddStage, StageFields } from './stage-fields.tsx'

type Props = {
  draft: Draft
  currency: string
  refusal: Refusal
  warnings: RewardWarning[]
  onChange: (change: Partial<Draft>) => void
}

/** What a sale pays, as simple as it can be shown: one rate, one rate after another, or a list of rules. */
export const SaleTerms = ({ draft, currency, refusal, warnings, onChange }: Props) => {
  const { rules } = draft
  const container = useRef<HTMLDivElement>(null)
  const { open, setOpen, wantsMaximum, said, ...act } = useRuleActions(draft, onChange, container)
  const only = rules.length === 1 && rules[0] && isForAllSales(rules[0]) ? rules[0] : undefined
  const change = (changed: RuleDraft[]) => onChange({ rules: changed })
  const showsMaximum = only !== undefined && (wantsMaximum || hasMaximum(only))
  return (
    <div ref={container} className="flex flex-col gap-4">
      {rules.length === 0 && <SimpleFields draft={draft} currency={currency} refusal={refusal} onChange={onChange} />}
      {only && (
        <OnlyRule
          rule={only}
          showsMaximum={showsMaximum}
          currency={currency}
          refusal={refusal}
          warnings={warnings}
          onChange={(part) => change([{ ...only, ...part }])}
          onRemoveStage={(pays) => act.removeStage({ ...only, pays })}
        />
      )}
      {rules.length > 0 && !only && (
        <RuleList
          rules={rules}
          open={open}
          onOpen={setOpen}
          currency={currency}
          refusal={refusal}
          warnings={warnings}
          onChange={change}
          onMoved={act.moved}
          onRemove={act.remove}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {rules.length === 0 && draft.duration !== 'first' && (
          <AddStage onAdd={() => change([withStage(ruleOfForm(draft))])} />
        )}
        {(rules.length === 0 || (only && !showsMaximum)) && <AddMaximum onAdd={act.addMaximum} />}
        <AddRule onAdd={act.add} />
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  )
}

/** What a click changes, which rules it opens, where the focus goes, and what a screen reader says. */
const useRuleActions = (draft: Draft, onChange: Props['onChange'], container: RefObject<HTMLDivElement | null>) => {
  const { rules } = draft
  const focus = useFocusAfterRender(container)
  const [open, setOpen] = useState<number[]>([])
  const [wantsMaximum, setWantsMaximum] = useState(false)
  const [said, say] = useState('')
  const form = rules.length > 0 ? rules : [ruleOfForm(draft)]
  const add = () => {
    const { rules: more, key } = addRule(form)
    setOpen([...open, key])
    onChange({ rules: more })
    focus(`[data-rule="${key}"] :is(input, select, textarea)`)
  }
  const moved = ({ key }: RuleDraft, to: number, direction: 'up' | 'down') => {
    say(`Moved to position ${to + 1} of ${rules.length}.`)
    focus(`[data-rule="${key}"] [data-move="${direction}"]`)
  }
  const remove = (index: number) => {
    onChange(afterRemoving(rules.toSpliced(index, 1)))
    say(`Rule ${index + 1} removed.`)
    focus('[data-add-rule]')
  }
  const removeStage = (rule: RuleDraft) => {
    onChange(afterRemoving([rule]))
    focus('[data-add-stage]')
  }
  const addMaximum = () => {
    setWantsMaximum(true)
    setOpen(form.map(({ key }) => key))
    onChange({ rules: form })
    focus('[data-maximum]')
  }
  return { open, setOpen, wantsMaximum, said, add, moved, remove, removeStage, addMaximum }
}

const withStage = (rule: RuleDraft): RuleDraft => ({ ...rule, pays: addStage(rule.pays) })

const isForAllSales = ({ when }: RuleDraft) => Object.keys(when).length === 0

const AddMaximum = ({ onAdd }: { onAdd: () => void }) => (
  <Button look="quiet" size="small" onClick={onAdd}>
    <Plus aria-hidden /> Add a maximum
  </Button>
)

type OnlyRuleProps = Pick<Props, 'currency' | 'refusal' | 'warnings'> & {
  rule: RuleDraft
  showsMaximum: boolean
  onChange: (part: Partial<RuleDraft>) => void
  onRemoveStage: (pays: RuleDraft['pays']) => void
}

/** The rule of terms that have only one, for all sales: its rates, without conditions. */
const OnlyRule = (props: OnlyRuleProps) => {
  const { rule, showsMaximum, currency, refusal, warnings, onChange, onRemoveStage } = props
  return (
    <>
      <StageFields
        pays={rule.pays}
        currency={currency}
        place="rules.0.pays"
        refusal={refusal}
        mayPayNothing={false}
        onChange={(pays) => onChange({ pays })}
        onRemove={onRemoveStage}
      />
      {showsMaximum && (
        <MaximumFields rule={rule} place="rules.0" currency={currency} refusal={refusal} onChange={onChange} />
      )}
      <Messages refused={messageAt(refusal, 'rules.0')} warnings={warnings} />
    </>
  )
}

type SimpleProps = Omit<Props, 'warnings'>

const SimpleFields = ({ draft, currency, refusal, onChange }: SimpleProps) => (
  <FieldRow>
    {draft.saleKind === 'percent' ? (
      <Field label="Percentage" error={messageAt(refusal, 'percent')}>
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
      <Field label="Amount per sale" error={messageAt(refusal, 'flat')}>
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
      <Field label="Months" hint="After a customer’s first sale." error={messageAt(refusal, 'months')}>
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
