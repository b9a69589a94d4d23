import type { NotificationPreviews } from '@tributary/contract'
import { Ago } from '~/components/format/time.tsx'
import { KIND_TEXT } from '~/components/notifications/kind-text.ts'

const REASONS = {
  failed: 'The mail server refused it',
  unknown: 'The connection broke while it was sent, so it may have arrived',
}

/** Emails that were given up; nothing if there are none. */
export const MailProblems = ({ problems }: Pick<NotificationPreviews, 'problems'>) => {
  if (problems.length === 0) return null
  return (
    <div className="border-line border-t p-5">
      <h3 className="font-medium text-sm">Emails that were not delivered</h3>
      <p className="mt-0.5 text-faint text-xs">Of the last 30 days. They are not sent again.</p>
      <ul className="mt-3 flex flex-col gap-2 text-sm">
        {problems.map(({ kind, email, status, error, at }) => (
          <li key={`${kind} ${email} ${at}`} className="wrap-anywhere">
            {KIND_TEXT[kind].label} to {email}: {REASONS[status]}
            {error && ` (${error})`}. <span className="text-faint">{<Ago at={at} />}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
