import { useState } from 'react'
import type { SecondFactor } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { CodeField } from '~/components/controls/code-field.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'

type Props = {
  verify: { mutate: (form: SecondFactor) => void; reset: () => void; error: unknown; isPending: boolean }
}

/** Asks for the code after the password, or for a recovery code instead. */
export const SecondStep = ({ verify }: Props) => {
  const [isRecovery, setRecovery] = useState(false)
  const submit = (values: FormData) =>
    verify.mutate(isRecovery ? { recoveryCode: formText(values, 'recoveryCode') } : { code: formText(values, 'code') })
  const change = () => {
    verify.reset()
    setRecovery(!isRecovery)
  }
  return (
    <Form key={String(isRecovery)} onSubmit={submit} className="flex flex-col gap-4">
      {isRecovery ? (
        <Field
          label="Recovery code"
          hint="One of the codes you saved when you turned on two-factor sign-in. Each works once."
          error={fieldError(verify.error, 'recoveryCode')}
        >
          {(wiring) => (
            <Input {...wiring} name="recoveryCode" autoComplete="off" className="font-mono" required autoFocus />
          )}
        </Field>
      ) : (
        <CodeField error={fieldError(verify.error, 'code')} autoFocus />
      )}
      <FormError error={verify.error} fields={['code', 'recoveryCode']} />
      <Button type="submit" look="primary" busy={verify.isPending} className="h-9 w-full">
        Sign in
      </Button>
      <Button look="quiet" onClick={change} className="self-center">
        {isRecovery ? 'Use a code from your app' : 'Use a recovery code'}
      </Button>
    </Form>
  )
}
