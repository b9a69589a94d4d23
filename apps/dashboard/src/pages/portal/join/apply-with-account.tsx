import { Navigate } from '@tanstack/react-router'
import type { ApplicationPage } from '@tributary/contract'
import type { SignedInUser } from '~/api/accounts/session.ts'
import { useChange } from '~/api/call.ts'
import { usePortalPrograms } from '~/api/portal.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { AuthLayout } from '~/pages/sign-in/auth-layout.tsx'
import { AgreementField } from './agreement-field.tsx'
import { Offer } from './offer.tsx'
import { QuestionFields, questionFields, readApplication } from './question-fields.tsx'

/** For signed-in users. Those who already applied go to the portal. */
export const ApplyWithAccount = ({ application, user }: { application: ApplicationPage; user: SignedInUser }) => {
  const { programId, programName, questions, agreement, brand } = application
  const { data: programs } = usePortalPrograms()
  const apply = useChange('post /api/portal/programs/{programId}/apply', { programId })
  if (programs?.some((program) => program.programId === programId))
    return <Navigate to="/portal/$programId" params={{ programId: String(programId) }} replace />
  return (
    <AuthLayout
      title={`Join ${programName}`}
      description={brand.description}
      footer={`You are signed in as ${user.email}.`}
      by={application}
    >
      <Offer application={application} />
      <Form
        onSubmit={(values) => apply.mutate({ body: readApplication(application, values) })}
        className="flex flex-col gap-4"
      >
        <QuestionFields questions={questions} error={apply.error} />
        <AgreementField agreement={agreement} />
        <FormError error={apply.error} fields={questionFields(questions)} />
        <Button type="submit" look="primary" busy={apply.isPending || !programs} className="h-9 w-full">
          Apply as {user.name}
        </Button>
      </Form>
    </AuthLayout>
  )
}
