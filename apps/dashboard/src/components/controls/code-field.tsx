import { Field, Input } from './field.tsx'

type Props = { error?: string | null; autoFocus?: boolean }

/** The six digits of an authenticator app. Browsers and password managers fill them in. */
export const CodeField = ({ error, autoFocus }: Props) => (
  <Field label="Code" hint="The 6 digits your authenticator app shows now." error={error}>
    {(wiring) => (
      <Input
        {...wiring}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*\d{3}\s*\d{3}\s*"
        title="6 digits"
        maxLength={9}
        placeholder="123456"
        className="font-mono tracking-widest"
        autoFocus={autoFocus}
        required
      />
    )}
  </Field>
)
