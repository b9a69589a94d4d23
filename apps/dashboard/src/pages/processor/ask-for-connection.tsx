import { useProgram } from '~/app/program-context.ts'
import { RoleNote } from '~/components/role-note.tsx'

/** In place of the forms that change the connection, for roles without `key:manage`. */
export const AskForConnection = () => {
  const { workspace } = useProgram()
  return (
    <RoleNote>
      Only owners and admins can change this connection, because its secret can report sales. Your role is{' '}
      {workspace.role}.
    </RoleNote>
  )
}
