import { ApiError } from '~/api/client.ts'
import { Field, Input } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'

export const CurrentPassword = ({ error, autoFocus }: { error: unknown; autoFocus?: boolean }) => (
  <Field label="Password" error={fieldError(error, 'password')}>
    {(wiring) => (
      <Input
        {...wiring}
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={autoFocus}
        aria-invalid={error instanceof ApiError && error.code === 'invalid_credentials' ? true : undefined}
        required
      />
    )}
  </Field>
)
