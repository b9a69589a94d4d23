import { Plus, Trash2 } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { messageAt, type Refusal } from './refusal.ts'
import { addStage } from './rule-changes.ts'
import type { StageDraft } from './rule-draft.ts'

type Props = {
  pays: StageDraft[]
  currency: string
  /** Where the stages are in the form. */
  place: string
  refusal: Refusal
  /** A rule with conditions can pay nothing. */
  mayPayNothing: boolean
  onChange: (pays: StageDraft[]) => void
  onRemove: (pays: StageDraft[]) => void
}

/** "30% for 12 months, then 10%", one line for each rate. */
export const StageFields = ({ pays, currency, place, refusal, mayPayNothing, onChange, onRemove }: Props) => {
  const paysNothing = pays.some(({ kind }) => kind === 'none')
  return (
    <div className="flex flex-col gap-3">
      {pays.map((stage, index) => (
        <Stage
          // biome-ignore lint/suspicious/noArrayIndexKey: stages are never reordered
          key={index}
          stage={stage}
          title={index === 0 ? 'Pays' : 'Then'}
          currency={currency}
          place={`${place}.${index}`}
          refusal={refusal}
          isLast={index === pays.length - 1}
          mayPayNothing={mayPayNothing && pays.length === 1}
          onChange={(change) => onChange(pays.with(index, { ...stage, ...change }))}
          {...(index > 0 && { onRemove: () => onRemove(pays.toSpliced(index, 1)) })}
        />
      ))}
      {!paysNothing && <AddStage onAdd={() => onChange(addStage(pays))} />}
    </div>
  )
}

/** Also below the simple form. */
export const AddStage = ({ onAdd }: { onAdd: () => void }) => (
  <Button data-add-stage look="quiet" size="small" className="-ml-2.5 self-start" onClick={onAdd}>
    <Plus aria-hidden /> Then a different rate
  </Button>
)

type StageProps = {
  stage: StageDraft
  title: string
  currency: string
  place: string
  refusal: Refusal
  isLast: boolean
  mayPayNothing: boolean
  onChange: (change: Partial<StageDraft>) => void
  onRemove?: () => void
}

const Stage = ({ stage, title, currency, place, refusal, isLast, mayPayNothing, onChange, onRemove }: StageProps) => (
  <fieldset className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-3">
    <legend className="sr-only">{title}</legend>
    <div className="min-w-0 flex-1 basis-36">
      <Field label={title}>
        {(wiring) => (
          <Select
            {...wiring}
            value={stage.kind}
            onChange={(event) => onChange({ kind: event.target.value as StageDraft['kind'] })}
          >
            <option value="percent">Percentage</option>
            <option value="flat">Fixed amount</option>
            {(mayPayNothing || stage.kind === 'none') && <option value="none">Nothing</option>}
          </Select>
        )}
      </Field>
    </div>
    {stage.kind !== 'none' && (
      <>
        <div className="min-w-0 flex-1 basis-28">
          <Rate
            stage={stage}
            currency={currency}
            error={messageAt(refusal, place)}
            // A stage that was just added; the others have a rate.
            autoFocus={onRemove !== undefined && stage.percent === '' && stage.flat === ''}
            onChange={onChange}
          />
        </div>
        <div className="min-w-0 flex-1 basis-28">
          <Field label="Months" error={messageAt(refusal, `${place}.months`)}>
            {(wiring) => (
              <Input
                {...wiring}
                type="number"
                min={1}
                max={120}
                placeholder={isLast ? 'No end' : undefined}
                value={stage.months}
                onChange={(event) => onChange({ months: event.target.value })}
                required={!isLast}
              />
            )}
          </Field>
        </div>
      </>
    )}
    {onRemove && (
      <Button look="quiet" size="icon" className="mt-6.5" aria-label="Remove this rate" onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    )}
  </fieldset>
)

type RateProps = Pick<StageProps, 'stage' | 'currency' | 'onChange'> & { error: string | null; autoFocus: boolean }

const Rate = ({ stage, currency, error, autoFocus, onChange }: RateProps) =>
  stage.kind === 'percent' ? (
    <Field label="Percentage" error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          type="number"
          min={0.01}
          max={100}
          step={0.01}
          autoFocus={autoFocus}
          value={stage.percent}
          onChange={(event) => onChange({ percent: event.target.value })}
          required
        />
      )}
    </Field>
  ) : (
    <Field label="Amount per sale" error={error}>
      {(wiring) => (
        <MoneyInput
          {...wiring}
          currency={currency}
          autoFocus={autoFocus}
          value={stage.flat}
          onChange={(event) => onChange({ flat: event.target.value })}
          required
        />
      )}
    </Field>
  )
