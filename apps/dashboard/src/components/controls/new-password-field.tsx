import { Field, Input } from './field.tsx'

type Props = { error: string | null; label?: string; name?: string; hint?: string }

/** The length limits match the service; `new-password` makes browsers suggest one. */
export const NewPasswordField = ({ error, label = 'Password', name = 'password', hint }: Props) => (
  <Field label={label} error={error} {...(hint && { hint })}>
    {(wiring) => (
      <Input
        {...wiring}
        name={name}
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        required
      />
    )}
  </Field>
)
