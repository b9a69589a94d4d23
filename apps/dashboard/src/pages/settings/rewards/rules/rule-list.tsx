import type { RewardWarning } from '@tributary/contract'
import { Plus } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { ruleSentences } from '~/components/format/reward-sentences.ts'
import { isInRule, type Refusal } from './refusal.ts'
import { RuleCard } from './rule-card.tsx'
import { moveRule } from './rule-changes.ts'
import { type RuleDraft, toRuleRequest } from './rule-draft.ts'

type Props = {
  rules: RuleDraft[]
  /** Keys of the rules whose fields are shown. */
  open: number[]
  onOpen: (open: number[]) => void
  currency: string
  refusal: Refusal
  warnings: RewardWarning[]
  onChange: (rules: RuleDraft[]) => void
  onMoved: (rule: RuleDraft, to: number, direction: 'up' | 'down') => void
  onRemove: (index: number) => void
}

/** The rules in their order, as sentences. */
export const RuleList = (props: Props) => {
  const { rules, open, onOpen, currency, refusal, warnings, onChange, onMoved, onRemove } = props
  const sentences = ruleSentences(
    rules.map((rule) => toRuleRequest(rule, currency)),
    currency,
  )
  const toggle = (key: number) => onOpen(open.includes(key) ? open.filter((one) => one !== key) : [...open, key])
  const move = (rule: RuleDraft, from: number, to: number) => {
    onChange(moveRule(rules, from, to))
    onMoved(rule, to, to < from ? 'up' : 'down')
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-faint text-xs">For each item of a sale, the first rule that matches decides.</p>
      <ol aria-label="Rules" className="flex flex-col gap-2">
        {rules.map((rule, index) => (
          <RuleCard
            key={rule.key}
            rule={rule}
            index={index}
            count={rules.length}
            sentence={sentences[index] ?? ''}
            currency={currency}
            isOpen={open.includes(rule.key) || isInRule(refusal, index)}
            refusal={refusal}
            warnings={warnings.filter((one) => one.rule === index + 1)}
            onToggle={() => toggle(rule.key)}
            onChange={(change) => onChange(rules.with(index, { ...rule, ...change }))}
            onMove={(to) => move(rule, index, to)}
            onRemove={() => onRemove(index)}
          />
        ))}
      </ol>
    </div>
  )
}

/** Below the rules, and below the simple form. */
export const AddRule = ({ onAdd }: { onAdd: () => void }) => (
  <Button data-add-rule size="small" onClick={onAdd}>
    <Plus aria-hidden /> Add a rule
  </Button>
)
