import type { RewardWarning } from '@tributary/contract'
import { ArrowDown, ArrowUp, ChevronDown, CircleAlert, Trash2, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { MaximumFields } from './maximum-fields.tsx'
import { messageAt, type Refusal } from './refusal.ts'
import type { RuleDraft } from './rule-draft.ts'
import { StageFields } from './stage-fields.tsx'

type Props = {
  rule: RuleDraft
  index: number
  count: number
  /** The rule in words, as it is now. */
  sentence: string
  currency: string
  isOpen: boolean
  refusal: Refusal
  warnings: RewardWarning[]
  onToggle: () => void
  onChange: (change: Partial<RuleDraft>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** One rule: its sentence, and its fields once it is opened. */
export const RuleCard = (props: Props) => {
  const { rule, index, count, sentence, isOpen, refusal, warnings, onToggle, onMove, onRemove } = props
  const id = useId()
  return (
    <li data-rule={rule.key} className="min-w-0 rounded-lg border border-line">
      <div className="flex items-center gap-1 p-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 py-1.5 text-left text-sm hover:bg-hover"
        >
          <ChevronDown aria-hidden className={isOpen ? 'size-4 shrink-0' : 'size-4 shrink-0 -rotate-90'} />
          <span className="wrap-anywhere min-w-0 font-medium">
            <span className="sr-only">{`Rule ${index + 1}: `}</span>
            {sentence}
          </span>
        </button>
        <IconButton
          label={`Move rule ${index + 1} up`}
          direction="up"
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          <ArrowUp aria-hidden />
        </IconButton>
        <IconButton
          label={`Move rule ${index + 1} down`}
          direction="down"
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <ArrowDown aria-hidden />
        </IconButton>
        <IconButton label={`Remove rule ${index + 1}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <div className="empty:hidden [&>*]:mx-1.5 [&>*]:mb-1.5">
        <Messages refused={messageAt(refusal, `rules.${index}`)} warnings={warnings} />
      </div>
      <div id={id} hidden={!isOpen} className="border-line border-t p-4">
        {isOpen && <RuleFields {...props} />}
      </div>
    </li>
  )
}

type IconButtonProps = {
  label: string
  direction?: 'up' | 'down'
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** Stays focusable at the end of the list, so that the focus is not lost there. */
const IconButton = ({ label, direction, disabled = false, onClick, children }: IconButtonProps) => (
  <Button
    look="quiet"
    size="icon"
    aria-label={label}
    data-move={direction}
    aria-disabled={disabled || undefined}
    className={disabled ? 'cursor-not-allowed opacity-55' : undefined}
    onClick={() => disabled || onClick()}
  >
    {children}
  </Button>
)

type MessagesProps = { refused: string | null; warnings: RewardWarning[] }

/** What is wrong with a rule: refused, or saved although it never pays. */
export const Messages = ({ refused, warnings }: MessagesProps) => (
  <>
    {refused && (
      <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> {refused}
      </p>
    )}
    {warnings.map(({ message }) => (
      <p key={message} className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="wrap-anywhere min-w-0">{message}</span>
      </p>
    ))}
  </>
)

const RuleFields = ({ rule, index, currency, refusal, onChange }: Props) => {
  const place = `rules.${index}`
  const paysNothing = rule.pays.some(({ kind }) => kind === 'none')
  return (
    <div className="flex flex-col gap-5">
      <ConditionFields
        when={rule.when}
        currency={currency}
        place={place}
        refusal={refusal}
        onChange={(when) => onChange({ when })}
      />
      <StageFields
        pays={rule.pays}
        currency={currency}
        place={`${place}.pays`}
        refusal={refusal}
        mayPayNothing
        onChange={(pays) => onChange({ pays })}
        onRemove={(pays) => onChange({ pays })}
      />
      {!paysNothing && (
        <MaximumFields rule={rule} place={place} currency={currency} refusal={refusal} onChange={onChange} />
      )}
    </div>
  )
}
