import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { mayCreateWorkspace, useWorkspaces } from '~/api/accounts/workspaces.ts'
import { useChange } from '~/api/call.ts'
import { usePrograms } from '~/api/programs.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { AuthLayout, TEXT_LINK } from '../sign-in/auth-layout.tsx'
import { ProgramForm } from './program-form.tsx'

/** First run: create a workspace, then a program, then go to the overview and its checklist. An interrupted first run continues with the program. */
export const Welcome = () => {
  const { workspace: requestedId } = useSearch({ strict: false })
  const { data: workspaces = [] } = useWorkspaces()
  const { data: programs = [] } = usePrograms()
  const navigate = useNavigate()
  const isFirstRun = programs.length === 0
  const workspace =
    workspaces.find(({ id }) => id === requestedId) ??
    (isFirstRun ? workspaces.find(({ permissions }) => permissions.includes('program:create')) : undefined)
  const back = programs.length > 0 && (
    <Link to="/" className={TEXT_LINK}>
      Back to dashboard
    </Link>
  )
  if (!workspace && !mayCreateWorkspace(workspaces))
    return (
      <AuthLayout title="Ask an owner or admin" footer={back}>
        <p className="text-pretty text-soft text-sm">
          Only an owner or admin can create a workspace or a program. It appears here once they do.
        </p>
      </AuthLayout>
    )
  if (!workspace)
    return (
      <AuthLayout
        title="Name your workspace"
        description="Usually your company. Its members share programs, partners and payouts."
        footer={back}
      >
        <WorkspaceForm onDone={(id) => void navigate({ to: '/welcome', search: { workspace: id } })} />
      </AuthLayout>
    )
  return (
    <AuthLayout
      title="Create a program"
      description={`In ${workspace.name}. Create one program for each product that partners promote. You can change everything later.`}
      footer={back}
    >
      <ProgramForm
        workspace={workspace}
        onDone={(id) => void navigate({ to: '/programs/$programId', params: { programId: String(id) } })}
      />
    </AuthLayout>
  )
}

const WorkspaceForm = ({ onDone }: { onDone: (workspaceId: string) => void }) => {
  const create = useChange('post /api/workspaces', {})
  const submit = (values: FormData) =>
    create.mutate({ body: { name: formText(values, 'name') } }, { onSuccess: ({ id }) => onDone(id) })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Workspace name" error={fieldError(create.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} placeholder="Acme Inc." required autoFocus />}
      </Field>
      <FormError error={create.error} fields={['name']} />
      <Button type="submit" look="primary" busy={create.isPending} className="h-9 w-full">
        Continue
      </Button>
    </Form>
  )
}
