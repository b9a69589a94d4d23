import { useReplaceRecoveryCodes, useTurnOffTwoFactor } from '~/api/accounts/two-factor.ts'
import { Button } from '~/components/controls/button.tsx'
import { CodeField } from '~/components/controls/code-field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { CurrentPassword } from './current-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Props = { hasPassword: boolean; onDone: () => void }

export const ReplaceCodes = ({ hasPassword, onDone }: Props) => {
  const replace = useReplaceRecoveryCodes()
  if (replace.data) return <RecoveryCodes codes={replace.data} onDone={onDone} />
  return (
    <ChangeForm hasPassword={hasPassword} change={replace} submit="Replace codes">
      Your current recovery codes stop working.
    </ChangeForm>
  )
}

export const TurnOff = ({ hasPassword, onDone }: Props) => {
  const { mutate, ...turnOff } = useTurnOffTwoFactor()
  const done = () => {
    toast.done('Two-factor sign-in is off.')
    onDone()
  }
  const change = { ...turnOff, mutate: (form: Change) => mutate(form, { onSuccess: done }) }
  return (
    <ChangeForm hasPassword={hasPassword} change={change} submit="Turn off" danger>
      You will sign in without a code. Workspaces that require two-factor sign-in won’t let you manage payouts or payout
      details.
    </ChangeForm>
  )
}

type Change = { password?: string | undefined; code: string }
type FormProps = {
  hasPassword: boolean
  change: { mutate: (form: Change) => void; error: unknown; isPending: boolean }
  submit: string
  danger?: boolean
  children: string
}

/** Both factors, so that neither a stolen password nor an unlocked computer is enough. */
const ChangeForm = ({ hasPassword, change, submit, danger, children }: FormProps) => (
  <Form
    onSubmit={(values) =>
      change.mutate({
        code: formText(values, 'code'),
        ...(hasPassword && { password: String(values.get('password')) }),
      })
    }
    className="flex flex-col gap-4"
  >
    <p className="text-pretty text-soft text-sm">{children}</p>
    {hasPassword && <CurrentPassword error={null} autoFocus />}
    <CodeField error={fieldError(change.error, 'code')} autoFocus={!hasPassword} />
    <FormError error={change.error} fields={['code', 'password']} />
    <div className="flex justify-end">
      <Button type="submit" look={danger ? 'danger' : 'primary'} busy={change.isPending}>
        {submit}
      </Button>
    </div>
  </Form>
)
