import { ShieldAlert } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'
import { formatTime } from '~/components/format/format.ts'
import { usePartnership } from '../portal-context.ts'

type Change = PortalProgram['accessChanges'][number]

const SENTENCES: Record<Change['change'], string> = {
  email_changed: 'Your email address was changed',
  sign_in_added: 'Another sign-in was added to your account',
  sign_in_removed: 'The sign-in to your account was removed',
}

/** Recent changes to who can sign in as this partner. */
export const AccessNotice = ({ changes }: { changes: Change[] }) => {
  const { programName } = usePartnership()
  if (changes.length === 0) return null
  return (
    <div className="flex items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
      <ShieldAlert aria-hidden className="mt-px size-4 shrink-0" />
      <div>
        <ul>
          {changes.map(({ change, at }) => (
            <li key={`${change} ${at}`}>
              {SENTENCES[change]} on {formatTime(at)}.
            </li>
          ))}
        </ul>
        <p className="mt-1">
          If you didn’t expect this, contact {programName} now. It affects who receives your payouts.
        </p>
      </div>
    </div>
  )
}
