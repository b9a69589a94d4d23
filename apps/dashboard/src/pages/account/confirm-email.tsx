import { Link, useSearch } from '@tanstack/react-router'
import { useConfirmEmail } from '~/api/accounts/account.ts'
import { ApiError } from '~/api/client.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { AuthLayout } from '../sign-in/auth-layout.tsx'

const STEPS = {
  approve: {
    title: 'Approve your new email address',
    text: 'You asked to change the email address of your account. After this, we email the new address a link to confirm it.',
    button: 'Approve the change',
  },
  confirm: {
    title: 'Confirm your new email address',
    text: 'Your account changes to the address that this email was sent to. From then on, you sign in with it.',
    button: 'Confirm this address',
  },
}

/** A button, because mail scanners open links and would use them up. */
export const ConfirmEmail = () => {
  const { step, token } = useSearch({ from: '/signed-in/account/email' })
  const { mutate, data, error, isPending } = useConfirmEmail()
  const { title, text, button } = STEPS[step]
  if (error instanceof ApiError && error.code === 'not_found')
    return (
      <AuthLayout title="This link can’t be used" description={error.message}>
        <ToAccount />
      </AuthLayout>
    )
  if (data?.data.state === 'changed')
    return (
      <AuthLayout title="Email address changed" description={`You now sign in with ${data.data.email}.`}>
        <ToAccount />
      </AuthLayout>
    )
  if (data) return <Approved email={data.data.email ?? ''} isMailed={data.data.mailed !== false} />
  return (
    <AuthLayout title={title} description={text}>
      <Form onSubmit={() => mutate({ token })} className="flex flex-col gap-4">
        <FormError error={error} />
        <Button type="submit" look="primary" busy={isPending} className="h-9 w-full" autoFocus>
          {button}
        </Button>
      </Form>
    </AuthLayout>
  )
}

const Approved = ({ email, isMailed }: { email: string; isMailed: boolean }) => (
  <AuthLayout
    title={isMailed ? 'Change approved' : 'The email could not be sent'}
    description={
      isMailed
        ? `We sent an email to ${email}. Open its link within an hour to confirm the address. Your address stays the same until then.`
        : `Nothing has changed, because our email to ${email} was not accepted. Check the address and ask again.`
    }
  >
    <ToAccount />
  </AuthLayout>
)

const ToAccount = () => (
  <Link to="/account" className={buttonClass({ look: 'secondary' }, 'h-9 w-full')}>
    Account settings
  </Link>
)
