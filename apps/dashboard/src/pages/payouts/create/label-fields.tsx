import { Field, Input } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { fieldError } from '~/components/controls/form.tsx'

export type LabelTexts = { note: string; reference: string }
/** Fields that show their own errors. */
export const LABEL_FIELDS = ['note', 'reference']
export const NO_LABELS: LabelTexts = { note: '', reference: '' }

export const toLabels = ({ note, reference }: LabelTexts) => ({
  note: note.trim() || null,
  reference: reference.trim() || null,
})

type Props = { labels: LabelTexts; onChange: (labels: LabelTexts) => void; error: unknown }

/** The merchant's own note and reference of a payout. */
export const LabelFields = ({ labels, onChange, error }: Props) => (
  <FieldRow className="mt-3">
    <Field label="Reference" optional error={fieldError(error, 'reference')}>
      {(wiring) => (
        <Input
          {...wiring}
          value={labels.reference}
          maxLength={120}
          placeholder="Your accounting reference"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...labels, reference: target.value })}
        />
      )}
    </Field>
    <Field label="Note" optional error={fieldError(error, 'note')}>
      {(wiring) => (
        <Input
          {...wiring}
          value={labels.note}
          maxLength={500}
          placeholder="Visible to your team"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...labels, note: target.value })}
        />
      )}
    </Field>
  </FieldRow>
)
