import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type SecondFactor, type SignInAnswer, sessionQuery } from '~/api/accounts/session.ts'
import { sessionEnded, useSessionEnded } from '~/api/accounts/session-ended.ts'
import { api, SESSION_ENDED } from '~/api/client.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { SecondStep } from '~/pages/sign-in/second-step.tsx'

/** Signs in on top of the open page, so unsaved input is not lost. */
export const SessionEnded = () => {
  const hasEnded = useSessionEnded()
  const isBehindSignIn = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => routeId.includes('signed-in')),
  })
  return (
    <Dialog
      open={hasEnded && isBehindSignIn}
      onOpenChange={(open) => sessionEnded.set(open)}
      title={SESSION_ENDED}
      description="Sign in to continue. Anything you typed on this page is kept."
    >
      <SignInAgain />
    </Dialog>
  )
}

const SignInAgain = () => {
  const signIn = useSignInAgain<{ email: string; password: string }>('sign-in/email')
  const verify = useSignInAgain<SecondFactor>('two-factor/verify')
  const queries = useQueryClient()
  const email = queries.getQueryData(sessionQuery.queryKey)?.user.email
  const submit = (values: FormData) =>
    signIn.mutate({ email: formText(values, 'email'), password: String(values.get('password')) })
  if (signIn.data?.twoFactorRequired) return <SecondStep verify={verify} />
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Email">
        {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" defaultValue={email} required />}
      </Field>
      <Field label="Password">
        {(wiring) => (
          <Input {...wiring} name="password" type="password" autoComplete="current-password" required autoFocus />
        )}
      </Field>
      <FormError error={signIn.error} />
      <Button type="submit" look="primary" busy={signIn.isPending}>
        Sign in
      </Button>
    </Form>
  )
}

const useSignInAgain = <Form,>(path: string) => {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (form: Form) => api.post<SignInAnswer>(`/api/auth/${path}`, form),
    onSuccess: async ({ twoFactorRequired }) => {
      if (twoFactorRequired) return
      const before = queries.getQueryData(sessionQuery.queryKey)
      const now = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      // A different user must not see the previous user's data.
      if (before?.user.id !== now?.user.id) return location.reload()
      sessionEnded.set(false)
      await queries.invalidateQueries()
      if (router.state.matches.some(({ status }) => status === 'error')) await router.invalidate()
    },
  })
}
