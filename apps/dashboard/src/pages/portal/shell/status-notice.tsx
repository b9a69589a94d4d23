import { Info } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'

const SENTENCES: Partial<Record<PortalProgram['status'], string>> = {
  suspended:
    'The program has suspended your partnership. New clicks on your links don’t count, new sales go to review, and you are excluded from payouts. Your balance stays.',
  rejected:
    'The program has rejected your application. New clicks on your links don’t count, and you are excluded from payouts. Contact the program if you think this is a mistake.',
}

const ARCHIVED = 'The program has archived your partnership. Your links are off. Your balance will still be paid.'

export const StatusNotice = ({ program: { status, archived } }: { program: PortalProgram }) => {
  const sentence = archived ? ARCHIVED : SENTENCES[status]
  if (!sentence) return null
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 lg:px-8">
      <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
        <Info aria-hidden className="mt-px size-4 shrink-0" /> {sentence}
      </p>
    </div>
  )
}
