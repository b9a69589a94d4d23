import { Field, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'

type Props = { error: Error | null; hint?: string }

/** Partners see the reasons of adjustments, so every dialog says so. */
export const ReasonField = ({ error, hint = 'The partner sees this reason.' }: Props) => (
  <Field label="Reason" hint={hint} error={fieldError(error, 'reason')}>
    {(wiring) => <Textarea {...wiring} name="reason" minLength={3} maxLength={500} required />}
  </Field>
)
