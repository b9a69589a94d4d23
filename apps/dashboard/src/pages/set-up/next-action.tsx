import { Link } from '@tanstack/react-router'
import { CREATE } from '~/app/create-dialog.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

type Target = 'settings/details' | 'settings/rewards' | 'partners' | 'links'
type Props = {
  to: Target
  label: string
  isDone: boolean
  /** Opens the page's dialog for creating something. */
  creates?: boolean
  hash?: string
  children: React.ReactNode
}

/** The text and target screen of a step without code. */
export const NextAction = ({ to, label, isDone, creates = false, hash, children }: Props) => {
  const { program } = useProgram()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="min-w-0 flex-1 basis-56 text-pretty text-soft">{children}</p>
      <Link
        to={`/programs/$programId/${to}`}
        params={{ programId: String(program.id) }}
        {...(hash && { hash })}
        {...(creates && { state: CREATE })}
        className={buttonClass({ look: isDone ? 'secondary' : 'primary' })}
      >
        {label}
      </Link>
    </div>
  )
}
