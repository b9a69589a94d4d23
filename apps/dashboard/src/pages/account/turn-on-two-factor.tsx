import type { TwoFactorSecret } from '@tributary/contract'
import { useState } from 'react'
import { useConfirmTwoFactor, useStartTwoFactor } from '~/api/accounts/two-factor.ts'
import { Button } from '~/components/controls/button.tsx'
import { CodeField } from '~/components/controls/code-field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { QrCode } from '~/components/qr-code.tsx'
import { CurrentPassword } from './current-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Props = { hasPassword: boolean; onDone: () => void }

/** Password, then the QR code and a first code, then the recovery codes. */
export const TurnOn = ({ hasPassword, onDone }: Props) => {
  const start = useStartTwoFactor()
  const [isOn, setOn] = useState(false)
  if (start.data && isOn) return <RecoveryCodes codes={start.data.recoveryCodes} onDone={onDone} />
  if (start.data) return <Scan secret={start.data} onConfirmed={() => setOn(true)} />
  return (
    <Form
      onSubmit={(values) => start.mutate(hasPassword ? { password: String(values.get('password')) } : {})}
      className="flex flex-col gap-4"
    >
      <p className="text-soft text-sm">
        You need an authenticator app on your phone, such as 1Password, Google Authenticator or Aegis.
      </p>
      {hasPassword && <CurrentPassword error={start.error} autoFocus />}
      <FormError error={start.error} fields={['password']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={start.isPending}>
          Continue
        </Button>
      </div>
    </Form>
  )
}

const Scan = ({ secret: { uri, secret }, onConfirmed }: { secret: TwoFactorSecret; onConfirmed: () => void }) => {
  const confirm = useConfirmTwoFactor()
  const submit = (values: FormData) => confirm.mutate({ code: formText(values, 'code') }, { onSuccess: onConfirmed })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-soft text-sm">Scan this code with your authenticator app, or type in the key.</p>
      <div className="mx-auto w-48">
        <QrCode text={uri} label="QR code for your authenticator app" />
      </div>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
        <code data-testid="secret" className="min-w-0 flex-1 break-all font-mono text-xs">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy key" look="secondary" />
      </div>
      <CodeField error={fieldError(confirm.error, 'code')} autoFocus />
      <FormError error={confirm.error} fields={['code']} />
      <p className="text-faint text-xs">This signs you out everywhere else.</p>
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </Form>
  )
}
