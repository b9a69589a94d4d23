import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { instance } from '~/instance.ts'
import { AuthLayout } from './auth-layout.tsx'

type Props = {
  title: string
  footer: ReactNode
  hint: string
  button: string
  /** What is on its way, as in "a reset link is on its way", and when it expires. */
  link: string
  expires: string
  request: UseMutationResult<unknown, Error, { email: string }>
}

/** Asks for an address and sends it a link. The answer does not tell whether an account exists. */
export const RequestEmail = ({ title, footer, hint, button, link, expires, request }: Props) => (
  <AuthLayout title={title} footer={footer}>
    {!instance.hasMail ? (
      <p className="text-pretty text-sm">
        This service can’t send email because no mail server is set up. Ask the person who runs it for help signing in.
      </p>
    ) : request.isSuccess ? (
      <p role="status" className="wrap-anywhere text-pretty text-sm">
        If an account with {request.variables.email} exists, {link} is on its way. The link expires in {expires}.
      </p>
    ) : (
      <Form onSubmit={(values) => request.mutate({ email: formText(values, 'email') })} className="flex flex-col gap-4">
        <Field label="Email" hint={hint} error={fieldError(request.error, 'email')}>
          {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required autoFocus />}
        </Field>
        <FormError error={request.error} fields={['email']} />
        <Button type="submit" look="primary" busy={request.isPending} className="mt-1 h-9 w-full">
          {button}
        </Button>
      </Form>
    )}
  </AuthLayout>
)
