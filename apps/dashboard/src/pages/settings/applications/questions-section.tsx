import type { Question } from '@tributary/contract'
import { MAX_QUESTIONS } from '@tributary/contract/branding-limits'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Section } from '../section.tsx'

const KINDS: Record<Question['kind'], string> = {
  short_text: 'Short text',
  long_text: 'Long text',
  choice: 'Choice',
  url: 'Web address',
}

type Props = {
  questions: Question[]
  onChange: (questions: Question[]) => void
  error: unknown
  disabled: boolean
}

const newQuestion = (questions: Question[]): Question => {
  const taken = questions.map(({ id }) => id)
  const free = Array.from({ length: MAX_QUESTIONS + 1 }, (_, index) => `question_${index + 1}`)
  const id = free.find((name) => !taken.includes(name)) ?? 'question'
  return { id, label: '', kind: 'short_text', required: true, options: [] }
}

export const QuestionsSection = ({ questions, onChange, error, disabled }: Props) => {
  const replace = (index: number, question: Question) => onChange(questions.with(index, question))
  const move = (from: number, to: number) => {
    const rest = questions.toSpliced(from, 1)
    const [moved] = questions.slice(from, from + 1)
    if (moved) onChange(rest.toSpliced(to, 0, moved))
  }
  return (
    <Section
      title="Questions"
      description="Asked on the application page, in this order. Answers appear on the partner’s page."
      disabled={disabled}
    >
      {questions.length === 0 && (
        <p className="text-soft text-sm">You ask for a name and an email address only. Add up to 10 questions.</p>
      )}
      {questions.map((question, index) => (
        <QuestionEditor
          key={question.id}
          question={question}
          number={index + 1}
          count={questions.length}
          error={error}
          onChange={(changed) => replace(index, changed)}
          onMove={(step) => move(index, index + step)}
          onRemove={() => onChange(questions.toSpliced(index, 1))}
        />
      ))}
      {!disabled && questions.length < MAX_QUESTIONS && (
        <Button className="self-start" onClick={() => onChange([...questions, newQuestion(questions)])}>
          <Plus aria-hidden /> Add question
        </Button>
      )}
    </Section>
  )
}

type EditorProps = {
  question: Question
  number: number
  count: number
  error: unknown
  onChange: (question: Question) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

const QuestionEditor = ({ question, number, count, error, onChange, onMove, onRemove }: EditorProps) => {
  const { label, kind, required, options } = question
  const field = (name: string) => fieldError(error, `questions.${number - 1}.${name}`)
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-4">
      <legend className="sr-only">Question {number}</legend>
      <div className="flex items-center justify-between gap-2">
        <p aria-hidden className="font-medium text-soft text-sm">
          Question {number}
        </p>
        <QuestionButtons number={number} count={count} onMove={onMove} onRemove={onRemove} />
      </div>
      <Field label="Question" error={field('label')}>
        {(wiring) => (
          <Input
            {...wiring}
            value={label}
            maxLength={200}
            required
            onChange={({ currentTarget }) => onChange({ ...question, label: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Answer type">
        {(wiring) => (
          <Select
            {...wiring}
            value={kind}
            onChange={({ currentTarget }) =>
              onChange({ ...question, kind: currentTarget.value as Question['kind'], options: [] })
            }
          >
            {Object.entries(KINDS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kind === 'choice' && (
        <Field label="Choices" hint="One per line, at least two." error={field('options')}>
          {(wiring) => (
            <Textarea
              {...wiring}
              required
              defaultValue={options.join('\n')}
              onChange={({ currentTarget }) => onChange({ ...question, options: readLines(currentTarget.value) })}
            />
          )}
        </Field>
      )}
      <Switch label="Required" checked={required} onChange={(on) => onChange({ ...question, required: on })} />
    </fieldset>
  )
}

const readLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const QuestionButtons = ({
  number,
  count,
  onMove,
  onRemove,
}: Pick<EditorProps, 'number' | 'count' | 'onMove' | 'onRemove'>) => (
  <div className="flex gap-1">
    <Button
      look="quiet"
      size="icon"
      aria-label={`Move question ${number} up`}
      disabled={number === 1}
      onClick={() => onMove(-1)}
    >
      <ArrowUp aria-hidden />
    </Button>
    <Button
      look="quiet"
      size="icon"
      aria-label={`Move question ${number} down`}
      disabled={number === count}
      onClick={() => onMove(1)}
    >
      <ArrowDown aria-hidden />
    </Button>
    <Button look="quiet" size="icon" aria-label={`Remove question ${number}`} onClick={onRemove}>
      <Trash2 aria-hidden />
    </Button>
  </div>
)
