import { useState } from 'react'
import { useChangeEmail } from '~/api/accounts/account.ts'
import { useTwoFactor } from '~/api/accounts/two-factor.ts'
import { Button } from '~/components/controls/button.tsx'
import { CodeField } from '~/components/controls/code-field.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { instance } from '~/instance.ts'
import { CurrentPassword } from './current-password.tsx'

export const EmailAddress = ({ email }: { email: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t pt-4 text-sm">
      <span className="min-w-0 flex-1">
        <span className="block text-faint text-xs">Email</span>
        <span className="wrap-anywhere block font-medium">{email}</span>
        <span className="block text-faint text-xs">You sign in with this address.</span>
      </span>
      <Button onClick={() => setOpen(true)}>Change email</Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Change your email address">
        <ChangeEmail email={email} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

const FIELDS = ['email', 'password', 'code']
type Props = { email: string; onDone: () => void }

const ChangeEmail = ({ email, onDone }: Props) => {
  const factors = useTwoFactor()
  const { mutate, data, error, isPending } = useChangeEmail()
  const submit = (values: FormData) =>
    mutate(
      {
        email: formText(values, 'email'),
        ...(values.has('password') && { password: String(values.get('password')) }),
        ...(values.has('code') && { code: formText(values, 'code') }),
      },
      {
        onSuccess: ({ data: { state } }) => {
          if (state !== 'changed') return
          toast.done('Email address changed.')
          onDone()
        },
      },
    )
  if (data && data.data.state !== 'changed')
    return <Sent to={email} isMailed={data.data.mailed !== false} onDone={onDone} />
  return (
    <QueryView query={factors} loading={<SkeletonRows rows={2} />}>
      {({ enabled, hasPassword }) => (
        <Form onSubmit={submit} className="flex flex-col gap-4">
          <p className="text-pretty text-soft text-sm">{instance.hasMail ? WITH_MAIL : WITHOUT_MAIL}</p>
          <Field label="New email" error={fieldError(error, 'email')}>
            {(wiring) => (
              <Input {...wiring} name="email" type="email" maxLength={254} autoComplete="email" autoFocus required />
            )}
          </Field>
          {hasPassword && <CurrentPassword error={enabled ? null : error} />}
          {enabled && <CodeField error={fieldError(error, 'code')} />}
          <FormError error={error} fields={FIELDS} />
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={isPending}>
              {instance.hasMail ? 'Continue' : 'Change email'}
            </Button>
          </div>
        </Form>
      )}
    </QueryView>
  )
}

const WITH_MAIL =
  'We email a link to your current address to approve the change, and then one to the new address to confirm it. Nothing changes before both are opened.'
const WITHOUT_MAIL =
  'This service can’t send email, so the address changes as soon as you confirm it with your password. Check it for typos: you sign in with it.'

const Sent = ({ to, isMailed, onDone }: { to: string; isMailed: boolean; onDone: () => void }) => (
  <div className="flex flex-col gap-4 text-sm">
    <p role="status" className="text-pretty">
      {isMailed
        ? `We sent a link to ${to}. Open it within an hour to approve the change, then open the one that we send to the new address.`
        : `The email to ${to} could not be sent. Nothing has changed. Try again later.`}
    </p>
    <div className="flex justify-end">
      <Button onClick={onDone}>Close</Button>
    </div>
  </div>
)
