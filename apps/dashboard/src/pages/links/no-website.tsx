import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'

/** In place of an address, where neither the link nor the program has one. */
export const NoWebsite = () => {
  const { program, may } = useProgram()
  if (!may('program:update')) return <>The program has no website yet</>
  return (
    <Link
      to="/programs/$programId/settings"
      params={{ programId: String(program.id) }}
      className="text-accent-ink underline underline-offset-2"
    >
      Add your website
    </Link>
  )
}
