import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { mayCreateWorkspace, useCreateWorkspace, useWorkspaces } from '~/api/accounts/workspaces.ts'
import { usePrograms } from '~/api/programs.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { Entrance, TEXT_LINK } from '../sign-in/entrance.tsx'
import { ProgramForm } from './program-form.tsx'

/**
 * From an account to a program: name the workspace, then the program, then the set-up takes over. A first run that was left
 * after the workspace continues with its program.
 */
export const Welcome = () => {
  const { workspace: wanted } = useSearch({ strict: false })
  const { data: workspaces = [] } = useWorkspaces()
  const { data: programs = [] } = usePrograms()
  const navigate = useNavigate()
  const isFirstRun = programs.length === 0
  const workspace =
    workspaces.find(({ id }) => id === wanted) ??
    (isFirstRun ? workspaces.find(({ permissions }) => permissions.includes('program:create')) : undefined)
  const back = programs.length > 0 && (
    <Link to="/" className={TEXT_LINK}>
      Back to the dashboard
    </Link>
  )
  if (!workspace && !mayCreateWorkspace(workspaces))
    return (
      <Entrance title="Ask an owner or admin" footer={back}>
        <p className="text-pretty text-soft text-sm">
          Only an owner or admin can create a workspace or a program. Once they have, you find it here.
        </p>
      </Entrance>
    )
  if (!workspace)
    return (
      <Entrance
        title="Name your workspace"
        description="Usually your company. Its members share programs, partners and payouts."
        footer={back}
      >
        <WorkspaceForm onDone={(id) => void navigate({ to: '/welcome', search: { workspace: id } })} />
      </Entrance>
    )
  return (
    <Entrance
      title="Create a program"
      description={`In ${workspace.name}. A program is one product that partners refer people to. All of this can be changed later.`}
      footer={back}
    >
      <ProgramForm
        workspace={workspace}
        onDone={(id) => void navigate({ to: '/programs/$programId/set-up', params: { programId: String(id) } })}
      />
    </Entrance>
  )
}

const WorkspaceForm = ({ onDone }: { onDone: (workspaceId: string) => void }) => {
  const create = useCreateWorkspace()
  const submit = (values: FormData) =>
    create.mutate({ name: textOf(values, 'name') }, { onSuccess: ({ id }) => onDone(id) })
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
