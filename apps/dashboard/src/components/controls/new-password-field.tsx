import { Field, Input } from './field.tsx'

type Props = { error: string | null; label?: string; name?: string; hint?: string }

/** A password that somebody makes up now: the length that the service wants, and the name by which browsers offer one. */
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
