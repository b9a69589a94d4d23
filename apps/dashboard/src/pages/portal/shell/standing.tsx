import { Info } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'

const SENTENCES: Partial<Record<PortalProgram['status'], string>> = {
  suspended:
    'The program has paused your partnership: new clicks on your links do not count, new sales of your customers are reviewed, and payouts are paused. What you earned stays here.',
  rejected:
    'The program has declined your application: new clicks on your links do not count, and you are left out of payouts. Contact the program if you think this is a mistake.',
}

/** Said above every page while it is so. */
const ARCHIVED =
  'The program has archived your partnership: your links are off. What you earned stays here and is still paid.'

export const Standing = ({ program: { status, archived } }: { program: PortalProgram }) => {
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
