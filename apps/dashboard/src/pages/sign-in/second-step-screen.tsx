import { useNavigate } from '@tanstack/react-router'
import { type SecondFactor, useVerifySecondFactor } from '~/api/accounts/session.ts'
import { AuthLayout, TEXT_LINK } from './auth-layout.tsx'
import { SecondStep } from './second-step.tsx'

type Props = { next: string | undefined; onBack: () => void }

export const SecondStepScreen = ({ next, onBack }: Props) => {
  const navigate = useNavigate()
  const { mutate, ...verify } = useVerifySecondFactor()
  const submit = (form: SecondFactor) => mutate(form, { onSuccess: () => void navigate({ href: next ?? '/' }) })
  return (
    <AuthLayout
      title="Two-factor sign-in"
      description="Your account is protected with an authenticator app."
      footer={
        <button type="button" onClick={onBack} className={TEXT_LINK}>
          Back to sign in
        </button>
      }
    >
      <SecondStep verify={{ ...verify, mutate: submit }} />
    </AuthLayout>
  )
}
