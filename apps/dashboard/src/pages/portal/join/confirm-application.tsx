import { Link, useParams } from '@tanstack/react-router'
import { useChange } from '~/api/call.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { AuthLayout } from '~/pages/sign-in/auth-layout.tsx'

/** Opened from the email to an applicant. A button, because mail scanners open links too. */
export const ConfirmApplication = () => {
  const { token = '' } = useParams({ strict: false })
  const confirm = useChange('post /api/public/applications/confirm', {})
  if (confirm.data) return <Confirmed {...confirm.data} />
  return (
    <AuthLayout
      title="Confirm your email address"
      description="Confirm only if you applied to become a partner with this address."
    >
      <div className="flex flex-col gap-4">
        <FormError error={confirm.error} />
        <Button
          look="primary"
          busy={confirm.isPending}
          onClick={() => confirm.mutate({ body: { token } })}
          className="h-9 w-full"
        >
          Confirm email address
        </Button>
      </div>
    </AuthLayout>
  )
}

const Confirmed = ({ programName, approved }: { programName: string; approved: boolean }) => (
  <AuthLayout
    title="Email address confirmed"
    description={
      approved
        ? `You are now a partner of ${programName}. Sign in to get your link.`
        : `${programName} will review your application. Sign in to check its status.`
    }
  >
    <Link to="/portal" className={buttonClass({ look: 'primary' }, 'h-9 w-full')}>
      Go to partner portal
    </Link>
  </AuthLayout>
)
